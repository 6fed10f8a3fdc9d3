/** The caller's body: it flows, within a time, but for a form that is part of what is signed. */
import type { IncomingMessage } from 'node:http';
import type { Upstream } from '../../connections/upstream/upstream.ts';
import { badRequest, Failure } from '../../lib/failure.ts';
import type { Body } from './exchange.ts';

/** Of a form that is read whole in order to be signed. */
const FORM_MAX_BYTES = 1024 * 1024;

/**
 * What is to be sent on. `onLate` is called when the caller has sent nothing for `idleMs`; waiting for an app that
 * reads slowly doesn't count.
 */
export function bodyOf(
  req: IncomingMessage,
  upstream: Upstream,
  idleMs: number,
  onLate: (failure: Failure) => void,
): Body | Promise<Body> {
  const form = upstream.sign !== undefined && isForm(req);
  const whole = form ? wholeForm(req) : undefined;
  req.setTimeout(idleMs, () => {
    if (!form && req.isPaused()) req.setTimeout(idleMs);
    else onLate(new Failure(408, `The request’s body stalled for ${idleMs / 1000} s.`));
  });
  // What follows the body is the app's time.
  req.once('end', () => req.socket?.setTimeout(0));
  return whole ?? req;
}

const isForm = (req: IncomingMessage) =>
  /^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(req.headers['content-type'] ?? '');

function wholeForm(req: IncomingMessage): Promise<Buffer> {
  return new Promise((ok, refuse) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size <= FORM_MAX_BYTES) return;
      req.off('data', onData);
      req.pause();
      refuse(badRequest('body: expected a form of at most 1 MiB, as it is part of the request’s signature'));
    };
    req.on('data', onData);
    req.once('end', () => ok(Buffer.concat(chunks)));
    req.once('error', refuse);
  });
}
