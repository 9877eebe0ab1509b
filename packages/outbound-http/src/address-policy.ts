import net from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Cidr = [Address, number];

/** Says which addresses the platform may dial on behalf of a user. */
export type AddressPolicy = {
  /** True for an IP literal (canonical notation, no brackets, no zone) that may be dialled; false for any other text. */
  isAllowed(ip: string): boolean;
};

/** The only IPv6 space that IANA has allocated as global unicast; all the rest is refused, known or not. */
const GLOBAL_UNICAST_V6: Cidr = [ipaddr.IPv6.parse('2000::'), 3];

/** Cloud metadata that sits on a public address: Azure's WireServer. The others are link-local, CGNAT or ULA. */
const PUBLIC_METADATA: Cidr[] = [[ipaddr.IPv4.parse('168.63.129.16'), 32]];

/**
 * Only public unicast addresses (IANA special-purpose registries, RFC 6890) are allowed. An IPv4-mapped IPv6
 * address is judged by the IPv4 address in it; NAT64, 6to4 and Teredo are refused whatever they embed.
 *
 * `allowCidrs` opens ranges (`10.20.0.0/16`, `fd00::/8`), `allowLoopback` opens 127.0.0.0/8 and ::1 (development).
 * Throws an Error that names a malformed CIDR.
 */
export function createAddressPolicy(
  options: { allowCidrs?: readonly string[]; allowLoopback?: boolean } = {},
): AddressPolicy {
  const opened = (options.allowCidrs ?? []).map(parseCidr);
  const allowLoopback = options.allowLoopback ?? false;
  return {
    isAllowed(ip) {
      const address = parseAddress(ip);
      if (!address) return false;
      if (opened.some((cidr) => contains(cidr, address))) return true;
      if (address.range() === 'loopback') return allowLoopback;
      return isPublicUnicast(address);
    },
  };
}

/** True for 127.0.0.0/8, ::1 and the IPv4-mapped form of the former (RFC 1122 §3.2.1.3, RFC 4291 §2.5.3). */
export function isLoopbackAddress(ip: string): boolean {
  return parseAddress(ip)?.range() === 'loopback';
}

/** The literal to dial: an IPv4-mapped address becomes its IPv4 address. Undefined when the text is not an IP literal. */
export function canonicalAddress(ip: string): { address: string; family: 4 | 6 } | undefined {
  const address = parseAddress(ip);
  return address && { address: address.toString(), family: address.kind() === 'ipv4' ? 4 : 6 };
}

// ipaddr.js also reads octal, hex and short forms; net.isIP lets only canonical text through to it.
function parseAddress(ip: string): Address | undefined {
  return net.isIP(ip) === 0 || ip.includes('%') ? undefined : ipaddr.process(ip);
}

function isPublicUnicast(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  if (PUBLIC_METADATA.some((cidr) => contains(cidr, address))) return false;
  return address.kind() === 'ipv4' || contains(GLOBAL_UNICAST_V6, address);
}

function contains([network, bits]: Cidr, address: Address): boolean {
  return network.kind() === address.kind() && address.match(network, bits);
}

function parseCidr(text: string): Cidr {
  const [network = '', bits = '', ...rest] = text.split('/');
  const width = { 0: -1, 4: 32, 6: 128 }[net.isIP(network)] ?? -1;
  if (rest.length > 0 || !/^\d{1,3}$/.test(bits) || Number(bits) > width || network.includes('%')) {
    throw new Error(`"${text}" is not a CIDR range such as 10.20.0.0/16 or fd00::/8`);
  }
  return [ipaddr.parse(network), Number(bits)];
}
