import { Transform } from 'node:stream';

export type BodyTap = {
  /** Passes everything on, up to the limit; one byte more breaks it off. */
  stream: Transform;
  /** The first bytes that passed. */
  kept(): Buffer;
  /** Whether more passed than is kept. */
  isCut(): boolean;
  isTooLarge(): boolean;
};

class BodyTooLarge extends Error {
  override name = 'BodyTooLarge';
}

/** A place in a stream where the first `keptBytes` are remembered and no more than `maxBytes` pass. */
export function createBodyTap(keptBytes: number, maxBytes: number): BodyTap {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _, pass) {
      if (sizeBytes < keptBytes) chunks.push(chunk.subarray(0, keptBytes - sizeBytes));
      sizeBytes += chunk.length;
      if (sizeBytes > maxBytes) pass(new BodyTooLarge(`expected at most ${maxBytes} bytes`));
      else pass(null, chunk);
    },
  });
  return {
    stream,
    kept: () => Buffer.concat(chunks),
    isCut: () => sizeBytes > keptBytes,
    isTooLarge: () => sizeBytes > maxBytes,
  };
}
