export interface Paint {
  heading(text: string): string;
  /** Colours the words that say how something is. */
  state(text: string): string;
}

const CODES: Record<string, number> = {
  active: 32,
  healthy: 32,
  ready: 32,
  selected: 32,
  degraded: 33,
  failover: 36,
  suspended: 31,
  unhealthy: 31,
  disabled: 31,
  skipped: 31,
};

export function createPaint(enabled: boolean): Paint {
  const wrap = (code: number, text: string) => (enabled ? `\u001b[${code}m${text}\u001b[0m` : text);
  return {
    heading: (text) => wrap(1, text),
    state: (text) => (CODES[text] === undefined ? text : wrap(CODES[text], text)),
  };
}
