import type { IncomingMessage } from 'node:http';

/** http or https, a host with or without a port, and no user: naming one is an attempt to pass for another host. */
const ABSOLUTE = /^https?:\/\/([^/?#@\\\s]+)([/?][^#]*)?$/i;

/**
 * A target in absolute form is what a proxy is asked for; a server takes it as well, and its host in place of the
 * header's (RFC 9112, section 3.2.2). From here on it is a request like any other. What can't be read so stays as it
 * is.
 */
export function takeAbsoluteForm(req: IncomingMessage): void {
  const { url = '/', rawHeaders } = req;
  if (url.startsWith('/')) return;
  const [, host, rest = '/'] = ABSOLUTE.exec(url) ?? [];
  if (host === undefined) return;
  req.url = rest.startsWith('/') ? rest : `/${rest}`;
  const name = rawHeaders.findIndex((each, at) => at % 2 === 0 && each.toLowerCase() === 'host');
  // Without the header it isn't whole, as in origin form; HTTP/1.0 has none.
  if (name < 0 && req.httpVersion !== '1.0') return;
  if (name >= 0) rawHeaders[name + 1] = host;
  req.headers.host = host;
}
