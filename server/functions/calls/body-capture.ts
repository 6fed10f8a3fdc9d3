import { Transform } from 'node:stream';

export type BodyCapture = {
  /** Sees what passes; answers an error for the byte that is too much. */
  see(part: Buffer): Error | undefined;
  /** The first bytes that passed. */
  kept(): Buffer;
  /** Whether more passed than is kept. */
  isCut(): boolean;
  isTooLarge(): boolean;
  /** Bytes that passed. */
  size(): number;
};

class BodyTooLarge extends Error {
  override name = 'BodyTooLarge';
}

/** Remembers the first `keptBytes` of what it sees, and lets no more than `maxBytes` pass. */
export function createBodyCapture(keptBytes: number, maxBytes: number): BodyCapture {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  return {
    see(part) {
      // Parts are lent.
      if (sizeBytes < keptBytes) chunks.push(Buffer.from(part.subarray(0, keptBytes - sizeBytes)));
      sizeBytes += part.length;
      return sizeBytes > maxBytes ? new BodyTooLarge(`expected at most ${maxBytes} bytes`) : undefined;
    },
    kept: () => (chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)),
    isCut: () => sizeBytes > keptBytes,
    isTooLarge: () => sizeBytes > maxBytes,
    size: () => sizeBytes,
  };
}

/** A place in a stream where the capture sees all that passes, and where a refusal breaks it off. */
export function captureStream({ see }: Pick<BodyCapture, 'see'>): Transform {
  return new Transform({
    transform(chunk: Buffer, _, pass) {
      const refusal = see(chunk);
      if (refusal) pass(refusal);
      else pass(null, chunk);
    },
  });
}
