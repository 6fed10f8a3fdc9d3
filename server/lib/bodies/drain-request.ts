/**
 * Responses to requests whose body is still arriving. Many clients read the response only after they have sent the
 * body, and closing a connection with unread bytes discards the response. The rest of the body is therefore drained for
 * up to 30 seconds and up to a size limit, so that the connection can be reused. Every entry point uses this.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { FUNCTION_BODY_MAX_BYTES } from '../../../contract/limits.ts';
import { hasBody } from './has-body.ts';

const DRAIN_MS = 30_000;

/** Call it before the head of the response is written. */
export function keepConnectionOpen(req: IncomingMessage, res: ServerResponse): void {
  if (req.complete || res.shouldKeepAlive || !hasBody(req)) return;
  // Node would close the connection after the response despite the incoming body. Disable that, and remove its header.
  res.shouldKeepAlive = true;
  res.removeHeader('Connection');
  const { socket } = req;
  const close = () => void (req.complete && res.writableFinished && socket.end());
  req.once('end', close);
  res.once('finish', close);
}

/** Call it when the request has no other reader. */
export function drainRequest(req: IncomingMessage): void {
  if (req.complete || req.destroyed || !hasBody(req)) return;
  let left = FUNCTION_BODY_MAX_BYTES;
  const late = setTimeout(() => req.destroy(), DRAIN_MS).unref();
  req
    .on('error', () => undefined)
    .once('close', () => clearTimeout(late))
    .on('data', ({ length }: Buffer) => {
      left -= length;
      if (left < 0) req.destroy();
    });
  req.unpipe();
  req.resume();
}

/**
 * Both, for a response that does not depend on the rest of the body. A 408 has waited long enough and closes instead.
 */
export function finishAndDrain(req: IncomingMessage, res: ServerResponse, status = 200): void {
  if (status === 408 && !req.complete) {
    res.shouldKeepAlive = false;
    return;
  }
  keepConnectionOpen(req, res);
  drainRequest(req);
}
