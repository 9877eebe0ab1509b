/** Waits for `work`, but no longer than `ms`; what it then does is nobody's business. */
export async function within(ms: number, work: Promise<unknown>): Promise<void> {
  await deadline(ms, work, '').catch(() => undefined);
}

/** The result of `work`, or a rejection with `message` after `ms`. */
export async function deadline<T>(ms: number, work: Promise<T>, message: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(message)), ms);
  });
  work.catch(() => undefined); // heard below, unless it fails after the deadline
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
