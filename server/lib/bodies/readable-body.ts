/**
 * Converts a body for display: decodes its content encodings up to a size limit, and returns text where possible. A
 * body that cannot be decoded is returned as received.
 */
import type { Transform } from 'node:stream';
import zlib from 'node:zlib';

export type ReadableBody = { text: string; encoding: 'utf8' | 'base64'; truncated: boolean };

/** More levels of encoding are not plausible. */
const ENCODINGS_MAX = 3;

/**
 * `encodings`: the value of Content-Encoding; `truncated`: the bytes are cut, so the decoded stream may be incomplete.
 */
export async function readableBody(
  bytes: Buffer,
  encodings: string,
  { maxBytes, truncated }: { maxBytes: number; truncated: boolean },
): Promise<ReadableBody> {
  const decoded = await undone(bytes, encodings, maxBytes, truncated);
  const cut = truncated || (decoded?.truncated ?? false);
  return { ...asText(decoded?.bytes ?? bytes, cut), truncated: cut };
}

async function undone(
  bytes: Buffer,
  encodings: string,
  maxBytes: number,
  truncated: boolean,
): Promise<{ bytes: Buffer; truncated: boolean } | undefined> {
  const names = encodings
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  if (names.length === 0 || names.length > ENCODINGS_MAX || bytes.length === 0) return undefined;
  let now = { bytes, truncated };
  for (const name of names.toReversed()) {
    const next = await decode(name, now.bytes, maxBytes, now.truncated).catch(() => undefined);
    if (!next) return undefined;
    now = { bytes: next.bytes, truncated: now.truncated || next.truncated };
  }
  return now;
}

async function decode(name: string, bytes: Buffer, maxBytes: number, truncated: boolean) {
  const decoder = decoderOf(name, bytes, truncated);
  if (!decoder) return undefined;
  const chunks: Buffer[] = [];
  let size = 0;
  decoder.end(bytes);
  for await (const chunk of decoder as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    // Leaving the loop stops the decoder: a small body may expand without limit.
    if (size > maxBytes) break;
  }
  return { bytes: Buffer.concat(chunks).subarray(0, maxBytes), truncated: size > maxBytes };
}

/** A decoder that accepts an early end of truncated bytes. */
function decoderOf(name: string, bytes: Buffer, truncated: boolean): Transform | undefined {
  const { constants } = zlib;
  const soft = truncated ? { finishFlush: constants.Z_SYNC_FLUSH } : {};
  switch (name) {
    case 'gzip':
    case 'x-gzip':
      return zlib.createGunzip(soft);
    case 'deflate':
      // Some senders omit the zlib header that RFC 9110 requires.
      return ((bytes[0] ?? 0) & 0x0f) === 8 ? zlib.createInflate(soft) : zlib.createInflateRaw(soft);
    case 'br':
      return zlib.createBrotliDecompress(truncated ? { finishFlush: constants.BROTLI_OPERATION_FLUSH } : {});
    case 'zstd':
      return zlib.createZstdDecompress({
        params: { [constants.ZSTD_d_windowLogMax]: 23 },
        ...(truncated ? { finishFlush: constants.ZSTD_e_flush } : {}),
      });
    default:
      return undefined;
  }
}

function asText(bytes: Buffer, cut: boolean): Pick<ReadableBody, 'text' | 'encoding'> {
  // The cut may be within a character of up to four bytes.
  for (let dropped = 0; dropped <= (cut ? 3 : 0); dropped++) {
    const text = utf8(bytes.subarray(0, bytes.length - dropped));
    if (text !== undefined) return { text, encoding: 'utf8' };
  }
  return { text: bytes.toString('base64'), encoding: 'base64' };
}

function utf8(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
