/**
 * True when a final answer shows a carrier that can take calls (decisions, section 3): any of 2xx to 6xx except
 * 408 and 5xx other than 501. A refusal (401, 403, 404, 405, 6xx) comes from a machine that is up.
 */
export function isAlive(code: number): boolean {
  if (code === 408) return false;
  if (code >= 500 && code < 600) return code === 501;
  return code >= 200 && code < 700;
}
