import { Hono } from 'hono';
import { compress } from 'hono/compress';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { operationNames, routes } from '../../../contract/routes.ts';
import { Failure, notFound } from '../../lib/failure.ts';
import { statusClass } from '../../platform/measures.ts';
import { type Edge, type Env, serve, setHeaders } from '../adaptor.ts';
import { errorBody, noteFailure, toFailure } from '../error-body.ts';
import { openApiDocument } from '../openapi/openapi.ts';
import { allowedMethods, CONNECT_PREFIX, hasStraySlash, toPattern, toRouterPath } from '../paths.ts';
import { decodeUnreserved } from '../request-path.ts';

/** Creates the router of the API and the connect window from the operations. Prefixes are paths of configured URLs. */
export function createApi(edge: Edge, prefixes: { api: string; connect: string }): Hono<Env> {
  const { log, measures, settings } = edge.services;
  const routerPath = (request: Request) => {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith(`${prefixes.connect}/`))
      return CONNECT_PREFIX + toRouterPath(decodeUnreserved(pathname.slice(prefixes.connect.length)));
    return toRouterPath(decodeUnreserved(pathname.slice(prefixes.api.length)));
  };
  const api = new Hono<Env>({ getPath: routerPath });
  const startedAt = new WeakMap<Request, number>();

  api.use(async (c, next) => {
    startedAt.set(c.req.raw, performance.now());
    await next();
    // `c.header` would copy the response.
    c.res.headers.set('X-Request-Id', c.env.requestId);
    const durationMs = performance.now() - (startedAt.get(c.req.raw) ?? 0);
    const operation = c.get('operation');
    const labels = { operation: operation ?? 'none' };
    measures.count('http_requests', { ...labels, status: statusClass(c.res.status) });
    measures.observe('http_request_seconds', labels, durationMs / 1000);
    log.info(
      {
        request_id: c.env.requestId,
        account_id: c.get('account_id'),
        actor_id: c.get('actor_id'),
        ip: c.env.ip,
        operation,
        method: c.req.method,
        path: c.req.path,
        status: c.res.status,
        duration_ms: Math.round(durationMs),
      },
      'request',
    );
  });
  api.use('/openapi.json', compress());

  for (const operation of operationNames) {
    const route = routes[operation];
    api.on(route.method, toPattern(route), serve(edge, operation));
  }
  // Created for the first request: most processes get none.
  let document: string | undefined;
  api.get('/openapi.json', (c) => {
    document ??= JSON.stringify(openApiDocument(settings.addresses, settings.version, settings.publicReference));
    return c.body(document, 200, { 'Content-Type': 'application/json' });
  });

  api.notFound((c) => {
    const allowed = c.req.path === '/openapi.json' ? ['GET', 'HEAD'] : allowedMethods(c.req.path);
    if (allowed.length === 0 && hasStraySlash(c.req.path))
      throw new Failure(404, 'Route not found. Remove the trailing slash.');
    if (allowed.length === 0) throw notFound('Route');
    throw new Failure(405, `Expected one of ${allowed.join(', ')}.`, { headers: { Allow: allowed.join(', ') } });
  });
  api.onError((error, c) => {
    const failure = toFailure(error);
    noteFailure(log, error, failure, { request_id: c.env.requestId, path: c.req.path });
    setHeaders(c, failure.headers);
    return c.json(errorBody(failure), failure.status as ContentfulStatusCode, {
      'Cache-Control': 'no-store',
      'X-Request-Id': c.env.requestId,
    });
  });
  return api;
}
