/**
 * `GET {connect_url}/oauth/callback`: the redirect URL of OAuth providers. connect-flows.ts handles the parameters. The
 * browser is redirected to the connect window; no text of the provider is ever rendered here.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { handleCallback } from '../../connections/connect/connect-flows.ts';
import { Failure } from '../../lib/failure.ts';
import { rateLimitHeaders } from '../../lib/rate-limit.ts';
import type { Edge } from '../adaptor.ts';
import { clientAddress } from '../client-address.ts';
import { readConnectCookie } from '../connect-cookie.ts';
import { SECURITY_HEADERS } from './console-files.ts';

export async function connectCallback(
  edge: Edge,
  req: IncomingMessage,
  res: ServerResponse,
  requestId: string,
): Promise<void> {
  // A HEAD would consume the code without a visible result.
  if (req.method !== 'GET') throw new Failure(405, 'Expected GET.', { headers: { Allow: 'GET' } });
  const ip = clientAddress(edge.services.settings.trustedProxies, req);
  const taken = edge.limits.address.take(ip ?? 'unknown');
  if (!taken.allowed) {
    throw new Failure(429, 'Too many requests. Wait for the time in Retry-After, then reload this page.', {
      headers: rateLimitHeaders(edge.limits.address, taken),
    });
  }
  const target = await handleCallback(edge.services, {
    query: new URLSearchParams((req.url ?? '').split('?').slice(1).join('?')),
    browser: readConnectCookie(edge.services.settings.addresses, req.headers.cookie),
    request_id: requestId,
    ip,
  });
  res
    .writeHead(303, { ...SECURITY_HEADERS, Location: target, 'Cache-Control': 'no-store', 'Content-Length': '0' })
    .end();
}
