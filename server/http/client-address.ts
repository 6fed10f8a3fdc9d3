/**
 * Whose request it is: for the audit log, runs, refused requests and the limits of callers without a key. That is the
 * other end of the connection, unless it is a proxy that is trusted: then what it says counts, `X-Forwarded-For` from
 * the right, as far as trusted proxies have written it. Entries further left can be forged by anyone.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { type BlockList, isIP } from 'node:net';

type Asked = { headers: IncomingHttpHeaders; socket: { remoteAddress?: string | undefined } };

/** Of proxies behind each other. */
const HOPS_MAX = 32;

/** Null where the connection is gone already. */
export function clientAddress(trusted: BlockList | undefined, { headers, socket }: Asked): string | null {
  const peer = socket.remoteAddress;
  if (peer === undefined) return null;
  const address = unmapped(peer);
  // Several such headers come as one, in their order.
  return trusted ? furthest(trusted, address, String(headers['x-forwarded-for'] ?? '')) : address;
}

/** The first that isn't trusted, or the last one that is known. */
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

/** Some proxies add it. */
const withoutPort = (text: string): string =>
  /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;

/** An IPv4 address as such, where it comes as one of IPv6. */
const unmapped = (address: string): string => address.replace(/^::ffff:(?=[\d.]+$)/i, '');
