import type { Readable } from 'node:stream';
import { badRequest, Failure } from './failure.ts';

/** How long a body may take to arrive: enough for the largest one on a slow line. */
const DEADLINE_MS = 60_000;

/**
 * All of a request's body. A client that sends too much, or drips it, is refused while it still sends: what is left is
 * for drain-request.ts, or it would hold its connection for ever.
 */
export function wholeBody(req: Readable, maxBytes: number): Promise<Buffer> {
  return new Promise((ok, refuse) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const stop = () => {
      clearTimeout(late);
      req.off('data', onData).off('end', onEnd).off('close', onBreak);
    };
    const fail = (failure: Failure) => {
      stop();
      refuse(failure);
    };
    const tooSlow = () => fail(new Failure(408, `body: expected all of it within ${DEADLINE_MS / 1000} seconds`));
    const late = setTimeout(tooSlow, DEADLINE_MS);
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size > maxBytes) fail(tooLarge(maxBytes));
    };
    const onEnd = () => {
      stop();
      ok(Buffer.concat(chunks));
    };
    const onBreak = () => fail(badRequest('body: it was incomplete'));
    req.on('data', onData).once('end', onEnd).once('close', onBreak).on('error', onBreak);
    if (req.destroyed) onBreak();
  });
}

export const tooLarge = (maxBytes: number) => new Failure(413, `body: expected at most ${maxBytes} bytes`);
