const LABEL = /^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;
const IPV4 = /^(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}$/;
export const MAX_HOST_LENGTH = 253;

/**
 * True for a host name, an IPv4 or an IPv6 literal (RFC 3261 25.1, `host`, without brackets, zone or port).
 * A name that ends in a number is an address or a mistake: resolvers read `127.1` and `0x7f000001` as addresses.
 */
export function isSipHost(text: string): boolean {
  if (text.length > MAX_HOST_LENGTH) return false;
  if (text.includes(':')) return /^[0-9A-Fa-f:.]+$/.test(text) && URL.canParse(`http://[${text}]/`);
  if (IPV4.test(text)) return true;
  const labels = text.replace(/\.$/, '').split('.');
  return labels.every((label) => LABEL.test(label)) && !/^(\d+|0x[0-9a-f]*)$/i.test(labels.at(-1) ?? '');
}
