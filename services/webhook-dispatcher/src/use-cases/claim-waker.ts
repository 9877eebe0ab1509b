/** Lets the next claim follow at once: deliveries came, or a full lane has room again. */
export class ClaimWaker {
  private wakeLoop = (): void => {};

  /** The frame hangs the worker's loop in here. */
  onStart(wake: () => void): void {
    this.wakeLoop = wake;
  }

  wake(): void {
    this.wakeLoop();
  }
}
