/** The caller's body: streamed with an idle timeout, or buffered if the signature covers it. */
import type { IncomingMessage } from 'node:http';
import type { Upstream } from '../../connections/upstream/upstream.ts';
import { hasBody } from '../../lib/bodies/has-body.ts';
import { badRequest, Failure } from '../../lib/failure.ts';

/** The request's body: none, a stream, or buffered. */
export type Body = IncomingMessage | Buffer | null;

/** Size limit of a buffered body. */
const SIGNED_MAX_BYTES = 1024 * 1024;
/** Size limit of a body that is buffered for a repeated request. */
const REPLAYED_MAX_BYTES = 1024 * 1024;

/** Whether the body may be buffered, so that the request can be repeated with a new token. */
export function canBeKept(req: IncomingMessage): boolean {
  if (req.headers['transfer-encoding'] !== undefined) return false;
  return !hasBody(req) || Number(req.headers['content-length']) <= REPLAYED_MAX_BYTES;
}

/**
 * The body to forward. `onLate` is called if the caller sends nothing for `idleMs`; time spent waiting for an app that
 * reads slowly does not count.
 */
export function bodyOf(
  req: IncomingMessage,
  upstream: Upstream,
  idleMs: number,
  onLate: (failure: Failure) => void,
): Body | Promise<Body> {
  const isSigned = upstream.sign !== undefined && (upstream.signsBody || isForm(req));
  const whole = isSigned ? bufferedBody(req) : undefined;
  req.setTimeout(idleMs, () => {
    if (!isSigned && req.isPaused()) req.setTimeout(idleMs);
    else onLate(new Failure(408, `The request’s body stalled for ${idleMs / 1000} s.`));
  });
  // After the body, the app's timeouts apply.
  req.once('end', () => req.socket?.setTimeout(0));
  return whole ?? req;
}

const isForm = (req: IncomingMessage) =>
  /^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(req.headers['content-type'] ?? '');

function bufferedBody(req: IncomingMessage): Promise<Buffer> {
  return new Promise((ok, refuse) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size <= SIGNED_MAX_BYTES) return;
      req.off('data', onData);
      req.pause();
      refuse(badRequest('body: expected at most 1 MiB, as it is part of the request’s signature'));
    };
    req.on('data', onData);
    req.once('end', () => ok(Buffer.concat(chunks)));
    req.once('error', refuse);
  });
}
