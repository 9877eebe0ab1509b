/** How bytes travel between services. Two drivers: in-process (embedded mode) and NATS; one contract test holds both. */
export interface RpcTransport {
  /**
   * One answer from one of the responders on `subject`.
   * Rejects with {@link TransportError}: `no_responders` at once when nobody listens, `timeout` after `timeoutMs`.
   */
  request(subject: string, payload: string, timeoutMs: number): Promise<string>;
  /** Answers requests; replicas share the subject as one queue group. */
  respond(subject: string, queueGroup: string, handler: (payload: string) => Promise<string>): void;
  /** To every listener on every replica; at most once. */
  publish(subject: string, payload: string): void;
  subscribe(subject: string, listener: (payload: string) => void): void;
  /** False while requests would fail: the service is not ready then. */
  isConnected(): boolean;
  /** Stops answering, gives running handlers {@link CLOSE_GRACE_MS} to finish, and disconnects. */
  close(): Promise<void>;
}

export const CLOSE_GRACE_MS = 1_000;

/** Waits for handlers that still run, but never longer than the grace. */
export async function settle(running: Iterable<Promise<unknown>>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const grace = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, CLOSE_GRACE_MS);
  });
  await Promise.race([Promise.allSettled(running), grace]);
  clearTimeout(timer);
}

export class TransportError extends Error {
  constructor(
    readonly reason: 'timeout' | 'no_responders' | 'disconnected',
    subject: string,
  ) {
    super(`${subject}: ${reason.replace('_', ' ')}`);
  }
}
