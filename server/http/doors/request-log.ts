/**
 * One log line for each request to webhook URLs, functions, apps and pages, at the level of
 * SLUICE_REQUEST_LOG_LEVEL. Requests of the API have their own (api.ts). No line has a query, a body, or the token of a
 * webhook URL.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BlockList } from 'node:net';
import type { Logger } from 'pino';
import { isRequestId } from '../../lib/ids.ts';
import type { RequestLogLevel } from '../../platform/context.ts';
import { clientAddress } from '../client-address.ts';

/** What a request turned out to be. */
export type About = { operation: string; account_id?: string } & Record<string, string | undefined>;

/** The id is generated on first use, because most gateway calls never need it. */
export type RequestId = (() => string) & {
  /** The id sent with the request. */
  readonly given: string | undefined;
  /** Set as soon as it is known. `API`: another part logs the request. */
  about: About | 'API' | undefined;
};

export function requestIdOf(req: IncomingMessage): RequestId {
  const sent = req.headers['x-request-id'];
  const given = typeof sent === 'string' && isRequestId(sent) ? sent : undefined;
  let id = given;
  const requestId = () => {
    id ??= randomUUID();
    return id;
  };
  return Object.assign(requestId, { given, about: undefined });
}

export type RequestLog = (req: IncomingMessage, res: ServerResponse, requestId: RequestId) => void;

/** Undefined if the level is below that of the log: then a request costs only what its door sets in `about`. */
export function createRequestLog(
  log: Logger,
  level: RequestLogLevel,
  trustedProxies: BlockList | undefined,
): RequestLog | undefined {
  if (!log.isLevelEnabled(level)) return undefined;
  return (req, res, requestId) => {
    const startedMs = performance.now();
    const ip = clientAddress(trustedProxies, req);
    res.once('close', () => {
      const { about } = requestId;
      if (about === 'API') return;
      const { operation = 'none', account_id, ...more } = about ?? {};
      log[level](
        {
          request_id: requestId(),
          account_id,
          ip,
          operation,
          ...more,
          method: req.method,
          status: res.statusCode,
          // The client disconnected before the end of the response.
          ...(res.writableFinished ? {} : { aborted: true }),
          duration_ms: Math.round(performance.now() - startedMs),
        },
        'request',
      );
    });
  };
}
