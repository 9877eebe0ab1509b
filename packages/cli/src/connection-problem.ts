import { START_COMMAND } from './settings.js';

interface Attempt {
  url: string;
  source: string;
  timeoutMs: number;
}

/** What to tell about a `fetch` that threw. */
export function connectionProblem(error: unknown, { url, source, timeoutMs }: Attempt): string {
  if ((error as Error).name === 'TimeoutError') return `${url} did not answer within ${timeoutMs / 1000} s`;
  const cause = (error as Error).cause as (Error & { code?: string }) | undefined;
  if (cause?.code === 'ECONNREFUSED') {
    return `cannot connect to ${url}: is Trunkline running? start it with: ${START_COMMAND}`;
  }
  if (cause?.code === 'ENOTFOUND') return `there is no host of ${url}; the address comes from ${source}`;
  return `cannot speak with ${url}: ${cause?.message || cause?.code || (error as Error).message}`;
}
