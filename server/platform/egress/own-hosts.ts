/**
 * The hosts of this service. A page of another site can make a browser send requests here under its own host name (DNS
 * rebinding). The console and the API are therefore served only under the hosts of the configured URLs, the hosts in
 * `SLUICE_ALLOWED_HOSTS`, and loopback (localhost, 127.0.0.0/8, ::1), at any port.
 */
import type { Addresses } from '../../lib/addresses.ts';

export type OwnHosts = {
  /** Whether the console and the API are served under this `Host`. */
  isOwn(host: string): boolean;
  /** Whether `host` is the functions' domain or a subdomain of it, at any port. An own host never is. */
  isFunctions(host: string): boolean;
  /** Whether this `Origin` is the console's. On loopback, where ports differ, it has to equal `host`. */
  isOwnOrigin(origin: string, host: string): boolean;
};

/** `allowed`: host names with or without a port; without one, every port matches. */
export function ownHosts(addresses: Addresses, allowed: readonly string[]): OwnHosts {
  const { console_url, base_url, connect_url, hooks_url, functions_domain } = addresses;
  const configured = new Set([console_url, base_url, connect_url, hooks_url].map((url) => new URL(url).hostname));
  const named = new Set(allowed.map((host) => host.toLowerCase()));
  const functions = nameOf(functions_domain);
  const isAllowed = (host: string) => named.has(nameOf(host)) || named.has(plain(host));
  const isOwn = (host: string) => configured.has(nameOf(host)) || isAllowed(host) || isLoopback(host);
  return {
    isOwn,
    isFunctions: (host) => !isOwn(host) && (nameOf(host) === functions || nameOf(host).endsWith(`.${functions}`)),
    isOwnOrigin(origin, host) {
      if (!URL.canParse(origin)) return false;
      const sender = new URL(origin).host;
      return (
        sender === new URL(console_url).host || isAllowed(sender) || (isLoopback(sender) && sender === plain(host))
      );
    },
  };
}

/** Lower case, without a trailing dot. */
const plain = (host: string) => host.toLowerCase().replace(/\.(?=:\d*$|$)/, '');
const nameOf = (host: string) => plain(host).replace(/:\d*$/, '');
const isLoopback = (host: string) => /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(nameOf(host));
