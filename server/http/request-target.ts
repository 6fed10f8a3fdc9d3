import type { IncomingMessage } from 'node:http';

/** http or https and a host with an optional port. No user, which could disguise another host. */
const ABSOLUTE = /^https?:\/\/([^/?#@\\\s]+)([/?][^#]*)?$/i;

/**
 * Converts a request target in absolute form to origin form. Proxies get such targets; a server must accept them, and
 * their host replaces the Host header (RFC 9112, section 3.2.2). Other targets stay unchanged.
 */
export function takeAbsoluteForm(req: IncomingMessage): void {
  const { url = '/', rawHeaders } = req;
  if (url.startsWith('/')) return;
  const [, host, rest = '/'] = ABSOLUTE.exec(url) ?? [];
  if (host === undefined) return;
  req.url = rest.startsWith('/') ? rest : `/${rest}`;
  const name = rawHeaders.findIndex((each, at) => at % 2 === 0 && each.toLowerCase() === 'host');
  // HTTP/1.1 requires the Host header, as in origin form.
  if (name < 0 && req.httpVersion !== '1.0') return;
  if (name >= 0) rawHeaders[name + 1] = host;
  req.headers.host = host;
}
