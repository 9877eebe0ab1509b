export { createAddressPolicy, type AddressPolicy } from './address-policy.js';
export { checkUserUrl } from './check-user-url.js';
export {
  createOutboundHttp,
  type OutboundHttp,
  type OutboundHttpOptions,
  type OutboundRequest,
} from './outbound-http.js';
export type { OutboundFailureReason, OutboundOutcome } from './outbound-outcome.js';
export {
  BlockedAddressError,
  DnsError,
  resolveAllowed,
  type ResolvedAddress,
  type ResolveHost,
} from './resolve-allowed.js';
export { createHostResolver } from './host-resolver.js';
