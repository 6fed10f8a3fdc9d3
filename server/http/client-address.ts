/**
 * The client's IP address, for the audit log, runs, rejected requests and rate limits of callers without a key. It is
 * the peer of the connection. If the peer is a trusted proxy, `X-Forwarded-For` is read from the right, as far as
 * trusted proxies wrote it. Clients can forge entries further left.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { type BlockList, isIP } from 'node:net';

type ClientRequest = { headers: IncomingHttpHeaders; socket: { remoteAddress?: string | undefined } };

/** Chained proxies. */
const HOPS_MAX = 32;

/** Returns the client's IP address; null if the connection is closed. */
export function clientAddress(trusted: BlockList | undefined, { headers, socket }: ClientRequest): string | null {
  const peer = socket.remoteAddress;
  if (peer === undefined) return null;
  const address = unmapped(peer);
  // Node joins repeated headers in order.
  return trusted ? furthest(trusted, address, String(headers['x-forwarded-for'] ?? '')) : address;
}

/** Returns the first address that isn't trusted, or the last one in the header. */
function furthest(trusted: BlockList, peer: string, forwarded: string): string {
  let address = peer;
  let end = forwarded.length;
  for (let hop = 0; hop < HOPS_MAX && end > 0; hop++) {
    if (!trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')) break;
    const start = forwarded.lastIndexOf(',', end - 1) + 1;
    const before = unmapped(withoutPort(forwarded.slice(start, end).trim()));
    if (isIP(before) === 0) break;
    address = before;
    end = start - 1;
  }
  return address;
}

/** Some proxies append the port. */
const withoutPort = (text: string): string =>
  /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;

/** Converts an IPv4-mapped IPv6 address to IPv4. */
const unmapped = (address: string): string => address.replace(/^::ffff:(?=[\d.]+$)/i, '');
