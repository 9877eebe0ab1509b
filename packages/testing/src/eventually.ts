/** Repeats an expectation until it holds, or fails with its last error after `withinMs`. */
export async function eventually<T>(expectation: () => Promise<T> | T, withinMs = 5_000): Promise<T> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    try {
      return await expectation();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
