/** The attempt took longer than its deadline. */
export class DeadlineError extends Error {
  readonly code = 'DEADLINE';

  constructor(deadlineMs: number) {
    super(`No complete answer within ${deadlineMs} ms`);
    this.name = 'DeadlineError';
  }
}

/** A wall-clock deadline, as a signal and as a promise that rejects with DeadlineError; `clear` once it is not needed. */
export type Deadline = { signal: AbortSignal; passed: Promise<never>; clear: () => void };

/** Starts a deadline of so many milliseconds from now. */
export function startDeadline(deadlineMs: number): Deadline {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const error = new DeadlineError(deadlineMs);
      reject(error);
      controller.abort(error);
    }, deadlineMs);
  });
  return { signal: controller.signal, passed, clear: () => clearTimeout(timer) };
}
