/** A pause that can be ended early. A call while nobody waits ends the next pause at once, so that none is missed. */
export function createWaker(): { wake(): void; wait(ms: number): Promise<void> } {
  let called = false;
  let end: (() => void) | undefined;
  return {
    wake() {
      called = true;
      end?.();
    },
    async wait(ms) {
      if (!called) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          end = () => {
            clearTimeout(timer);
            resolve();
          };
        });
        end = undefined;
      }
      called = false;
    },
  };
}
