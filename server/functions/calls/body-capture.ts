import { Transform } from 'node:stream';

export type BodyCapture = {
  /** Receives every chunk; returns an error when the limit is exceeded. */
  see(part: Buffer): Error | undefined;
  /** The first bytes. */
  kept(): Buffer;
  /** Whether there were more bytes than are captured. */
  isCut(): boolean;
  isTooLarge(): boolean;
  /** The number of bytes so far. */
  size(): number;
};

class BodyTooLarge extends Error {
  override name = 'BodyTooLarge';
}

/** Captures the first `keptBytes` of a body, and limits it to `maxBytes`. */
export function createBodyCapture(keptBytes: number, maxBytes: number): BodyCapture {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  return {
    see(part) {
      // Chunks are valid only during the call.
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

/** A stream that passes its input through the capture, and fails when the capture rejects it. */
export function captureStream({ see }: Pick<BodyCapture, 'see'>): Transform {
  return new Transform({
    transform(chunk: Buffer, _, pass) {
      const refusal = see(chunk);
      if (refusal) pass(refusal);
      else pass(null, chunk);
    },
  });
}
