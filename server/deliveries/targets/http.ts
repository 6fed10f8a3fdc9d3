import { plainUrl } from '../../../contract/text/url-template.ts';
import { examine } from './http-diagnosis.ts';
import { openPool, sendOut } from './http-exchange.ts';
import { requestsOf, type SignedRequest } from './signed-request.ts';
import { type TargetKind, timeoutOf } from './target.ts';

type Route = { origin: string; host: string; path: string };

/** Any HTTP endpoint. Its IP addresses are checked when it is stored, and again for every connection. */
export const http: TargetKind<SignedRequest<Route>> = {
  takesHeaders: true,
  takesTransform: true,
  matches: ({ protocol }) => protocol === 'https:' || protocol === 'http:',
  async check(ctx, url) {
    try {
      await ctx.egress.check(url.href);
      return null;
    } catch (error) {
      return error instanceof Error ? error.message : 'the URL is not allowed';
    }
  },
  nameOf: ({ host }) => host,
  prepare(parts, target) {
    return requestsOf(parts, target, ({ origin, pathname, search, host }) => ({
      origin,
      host,
      path: pathname + search,
    }));
  },
  open(services) {
    const pool = openPool(services);
    return { send: (request) => sendOut(pool, requestOf(request), request.timeoutMs), close: () => pool.close() };
  },
  async examine(ctx, target) {
    const agent = ctx.egress.agent({ connections: 1, pipelining: 1 });
    try {
      return await examine({ egress: ctx.egress, agent }, plainUrl(target.url), timeoutOf(ctx.settings, target));
    } finally {
      await agent.destroy();
    }
  },
};

function requestOf({ shown: { method }, headers, body, route: { origin, host, path } }: SignedRequest<Route>) {
  const flat = ['host', host];
  for (const name in headers) flat.push(name, headers[name] ?? '');
  return { method, origin, path, headers: flat, body };
}
