/** Resolves what a call asks for beside the app: a further host, links to rewrite, another timeout. */
import type { IncomingMessage } from 'node:http';
import { AnswerSeconds } from '../../../contract/gateway/app-gateway.ts';
import { atHost, hostInPath } from '../../connections/upstream/further-host.ts';
import type { Upstream } from '../../connections/upstream/upstream.ts';
import type { Addresses } from '../../lib/addresses.ts';
import { badRequest } from '../../lib/failure.ts';
import type { CallTarget } from './call-target.ts';
import { LinkRewriter } from './link-rewriter.ts';

/** `rest`: the native path and query below the base URL of `upstream`. */
export type AddressedCall = {
  upstream: Upstream;
  rest: string;
  links: LinkRewriter | undefined;
  answerMs: number | undefined;
};

/** Throws 400 for a host that the app does not have, and for an invalid header. */
export function addressedCall(
  main: Upstream,
  target: CallTarget,
  req: IncomingMessage,
  addresses: Addresses,
): AddressedCall {
  const { headers } = req;
  const { name, rest } = namedHost(main, target, req);
  const upstream = name === undefined ? main : atHost(main, name);
  const answerMs = headers['service-timeout'] === undefined ? main.options.answerMs : readSeconds(headers) * 1000;
  const rewrite = headers['service-rewrite'];
  if (rewrite !== undefined && rewrite !== 'links' && rewrite !== 'none')
    throw badRequest('Service-Rewrite: expected links or none');
  const isOn = rewrite === undefined ? main.options.rewriteLinks : rewrite === 'links';
  return {
    upstream,
    rest: target.byHost ? belowBase(upstream, rest) : rest,
    links: isOn ? new LinkRewriter(main, upstream, gatewayUrl(addresses, target, req, main.app)) : undefined,
    answerMs,
  };
}

/** The further host by its subdomain, the header Service-Host, the path `/~<host>/…`, or the connection's default. */
function namedHost(
  main: Upstream,
  { host, rest }: CallTarget,
  req: IncomingMessage,
): { name: string | undefined; rest: string } {
  const inPath = hostInPath(main, rest);
  if (inPath.name !== undefined) return inPath;
  const header = req.headers['service-host'];
  return { name: host ?? (Array.isArray(header) ? header.join() : header) ?? main.options.host, rest };
}

function readSeconds(headers: IncomingMessage['headers']): number {
  const seconds = Number(headers['service-timeout']);
  if (!AnswerSeconds.safeParse(seconds).success)
    throw badRequest('Service-Timeout: expected a whole number of seconds from 1 to 3600');
  return seconds;
}

/** A path at the app's host, relative to the base URL. Links and redirects of the app have the path of the base URL. */
function belowBase({ base_path, mcp }: Upstream, path: string): string {
  if (mcp || base_path === '' || !path.startsWith(base_path)) return path;
  const rest = path.slice(base_path.length);
  return rest === '' || rest.startsWith('/') || rest.startsWith('?') ? rest : path;
}

/** The URL by which the caller has reached the app's base URL. */
function gatewayUrl(addresses: Addresses, target: CallTarget, req: IncomingMessage, app: string): string {
  if (target.base !== undefined) return `${target.base}/${app}`;
  const { host = '' } = req.headers;
  const base = new URL(addresses.base_url);
  if (target.byHost) {
    const own = target.host === undefined ? host : host.slice(target.host.length + 1);
    return `${base.protocol}//${own}`;
  }
  // Under another own name, such as an IP address of this machine, TLS ends elsewhere.
  const isLocal = host !== base.host && /^(?:localhost|127\.|\[::1\])/i.test(host);
  return `${isLocal ? 'http:' : base.protocol}//${host}${addresses.base_url.slice(base.origin.length)}/${app}`;
}
