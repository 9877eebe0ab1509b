import { invalid, type FieldProblem } from '@trunkline/errors';
import { checkUserUrl } from '@trunkline/outbound-http';
import type { Deps } from '../deps.js';
import { hostProblems } from '../domain/carrier/host-problems.js';

/** Refuses what no field can tell by itself. `newUrl`: the health_check_url that is about to be stored. */
export function checkCarrier(
  { allowHttpOnLoopback }: Pick<Deps, 'allowHttpOnLoopback'>,
  carrier: { carrierType: string; sipHost: string | null },
  newUrl: string | null | undefined,
): void {
  const problems = [...hostProblems(carrier), ...urlProblems(newUrl, allowHttpOnLoopback)];
  if (problems.length > 0) throw invalid(problems);
}

function urlProblems(url: string | null | undefined, allowHttpOnLoopback: boolean): FieldProblem[] {
  const refusal = url == null ? undefined : checkUserUrl(url, { allowHttpOnLoopback });
  return refusal ? [{ field: 'health_check_url', message: `health_check_url ${refusal}` }] : [];
}
