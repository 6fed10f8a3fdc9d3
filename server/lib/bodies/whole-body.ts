import type { Readable } from 'node:stream';
import { badRequest, Failure } from '../failure.ts';

/** Time limit of a body: enough for the largest one on a slow connection. */
const DEADLINE_MS = 60_000;

/**
 * Reads a request's whole body. A client that sends too much, or too slowly, is rejected while it is still sending;
 * drain-request.ts handles the rest.
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
    const onBreak = () => fail(badRequest('body: the connection was closed before its end'));
    req.on('data', onData).once('end', onEnd).once('close', onBreak).on('error', onBreak);
    if (req.destroyed) onBreak();
  });
}

export const tooLarge = (maxBytes: number) => new Failure(413, `body: expected at most ${maxBytes} bytes`);
