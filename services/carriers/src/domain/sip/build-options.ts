export type SipTransport = 'udp' | 'tcp' | 'tls';

export interface OptionsRequest {
  /** The carrier as configured: host name, IPv4 or IPv6 literal, bracketed or not. */
  host: string;
  port: number;
  transport: SipTransport;
  /** Where the answer comes back to: the socket's own address. */
  localAddress: string;
  localPort: number;
  /** Unpredictable, unique per probe, starting with the magic cookie z9hG4bK (RFC 3261 8.1.1.7). */
  branch: string;
  /** Unpredictable From tag, at least 32 bits (RFC 3261 19.3). */
  tag: string;
  callId: string;
  userAgent: string;
}

/**
 * An OPTIONS request outside a dialog (RFC 3261 11.1), the answer sent back to where it came from (`rport`,
 * RFC 3581). Throws a RangeError on a value that could start another header line.
 */
export function buildOptions(request: OptionsRequest): string {
  const { port, transport, branch } = request;
  const remote = `${uriHost(request.host)}:${port}`;
  const local = `${uriHost(request.localAddress)}:${request.localPort}`;
  // ";transport=tls" is deprecated (RFC 3261 26.2.2) yet what carriers expect; "sips:" is often refused.
  const transportParameter = transport === 'udp' ? '' : `;transport=${transport}`;
  const lines = [
    `OPTIONS sip:${remote}${transportParameter} SIP/2.0`,
    `Via: SIP/2.0/${transport.toUpperCase()} ${local};branch=${branch};rport`,
    'Max-Forwards: 70',
    `From: <sip:ping@${local}>;tag=${request.tag}`,
    `To: <sip:${remote}>`,
    `Call-ID: ${request.callId}`,
    'CSeq: 1 OPTIONS',
    `Contact: <sip:ping@${local}${transportParameter}>`,
    'Accept: application/sdp',
    `User-Agent: ${request.userAgent}`,
    'Content-Length: 0',
  ];
  const unsafe = lines.find((line) => /\p{Cc}/u.test(line));
  if (unsafe !== undefined) throw new RangeError('a SIP header may not hold control characters');
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** The host without the brackets and the zone of an IPv6 literal and without the root dot of a name. */
export function bareHost(host: string): string {
  return host
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/%.*$/, '')
    .replace(/\.$/, '');
}

/** The host as a URI or a Via shows it: IPv6 literals in brackets (RFC 3261 25.1, IPv6reference). */
function uriHost(host: string): string {
  const bare = bareHost(host);
  if (!/^[A-Za-z0-9._:-]+$/.test(bare)) throw new RangeError('not a host name or an IP literal');
  return bare.includes(':') ? `[${bare}]` : bare;
}
