/**
 * Entry point of the gateway for hosted functions: a Unix socket that only their processes can reach
 * (runtime/fleet/home.ts). Requests are `GATEWAY_URL/<app>/<native path>` with the token of the run. They are handled
 * as calls of the account that owns the function, and the calls log has the run.
 */
import { randomUUID } from 'node:crypto';
import { chmod, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AppCall } from '../../../contract/keys/key-limits.ts';
import { grantRefusal } from '../../functions/gateway-grants.ts';
import type { Gateway } from '../../gateway/forwarding/gateway.ts';
import { finishAndDrain } from '../../lib/bodies/drain-request.ts';
import { badRequest, forbidden } from '../../lib/failure.ts';
import { rateLimitHeaders } from '../../lib/rate-limit.ts';
import { GATEWAY_ORIGIN } from '../../runtime/fleet/frames.ts';
import { bearer, type Edge, tooFast, unauthorized } from '../adaptor.ts';
import { errorResponse, noteFailure, toFailure } from '../error-body.ts';
import { noteRefusedCall } from './note-refused-call.ts';

export type RunGateway = { close(): Promise<void> };

export async function openRunGateway(edge: Edge, gateway: Gateway, socketPath: string): Promise<RunGateway> {
  const server = createServer({ maxHeaderSize: 65_536, headersTimeout: 20_000, requestTimeout: 0 }, (req, res) => {
    const requestId = randomUUID();
    serve(edge, gateway, req, res, requestId).catch((thrown: unknown) => {
      const failure = toFailure(thrown);
      noteFailure(edge.services.log, thrown, failure, { request_id: requestId });
      if (res.headersSent) return void res.destroy();
      const { status, headers, body } = errorResponse(failure, requestId);
      finishAndDrain(req, res, status);
      res.writeHead(status, headers).end(body);
    });
  });
  await rm(socketPath, { force: true });
  await new Promise<void>((ok, refuse) => server.once('error', refuse).listen(socketPath, ok));
  // Processes run as separate users; only processes that know the path of the folder can reach the socket.
  await chmod(socketPath, 0o666);
  return {
    close: () =>
      new Promise((ok) => {
        server.close(() => ok());
        server.closeAllConnections();
      }),
  };
}

async function serve(edge: Edge, gateway: Gateway, req: IncomingMessage, res: ServerResponse, requestId: string) {
  const token = bearer(req.headers.authorization ?? '');
  const run = token ? edge.services.runTokens.find(token) : undefined;
  if (!run)
    throw unauthorized('Expected the GATEWAY_TOKEN of a run that is in progress: Authorization: Bearer <token>.');
  const url = req.url ?? '/';
  const native = url.startsWith(`${GATEWAY_ORIGIN}/`) ? url.slice(GATEWAY_ORIGIN.length) : url;
  const app = native.slice(1).split(/[/?]/, 1)[0] ?? '';
  if (run.onBlocked) {
    run.onBlocked(app);
    throw forbidden(`Calls through the gateway are blocked in a shadow run: ${app || 'no app'} was not called.`);
  }
  const { account_id, run_id, trace } = run;
  const target = { app, rest: native.slice(1 + app.length), byHost: false, base: GATEWAY_ORIGIN };
  try {
    const taken = await edge.limits.account.take(account_id);
    if (!taken.allowed) throw tooFast(rateLimitHeaders(edge.limits.account, taken));
    if (!native.startsWith('/') || app === '') throw badRequest('Expected GATEWAY_URL/<app>/<native path>.');
    const refusal = (call: Pick<AppCall, 'app' | 'connection_id'>) =>
      grantRefusal(run.fn, call.app, call.connection_id);
    const refused = refusal({ app });
    if (refused !== null) throw forbidden(refused);
    await gateway.handle(req, res, { account_id, request_id: requestId, run_id, trace, refusal }, target);
  } catch (thrown) {
    const caller = { account_id, run_id, secret: token ?? '', requestId: () => requestId };
    noteRefusedCall(edge.services, req, target, caller, thrown);
    throw thrown;
  }
}
