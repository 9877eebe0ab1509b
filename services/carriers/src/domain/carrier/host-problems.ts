import type { FieldProblem } from '@trunkline/errors';

/** A carrier that outbound calls may leave through has a host to send them to (specification, Carrier). */
export function hostProblems(carrier: { carrierType: string; sipHost: string | null }): FieldProblem[] {
  if (carrier.carrierType === 'inbound' || carrier.sipHost !== null) return [];
  return [{ field: 'sip_host', message: `sip_host is required when carrier_type is ${carrier.carrierType}` }];
}
