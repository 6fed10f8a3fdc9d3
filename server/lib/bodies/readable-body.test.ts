import zlib from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readableBody } from './readable-body.ts';

const TEXT = JSON.stringify({ greeting: 'Grüße 🔑', list: Array.from({ length: 500 }, (_, i) => i) });
const BYTES = Buffer.from(TEXT);
const MAX = { maxBytes: 1024 * 1024, truncated: false };
const packed: Record<string, Buffer> = {
  gzip: zlib.gzipSync(BYTES),
  'X-Gzip': zlib.gzipSync(BYTES),
  deflate: zlib.deflateSync(BYTES),
  br: zlib.brotliCompressSync(BYTES),
  zstd: zlib.zstdCompressSync(BYTES),
  'gzip, br': zlib.brotliCompressSync(zlib.gzipSync(BYTES)),
  identity: BYTES,
  '': BYTES,
};

describe('a body', () => {
  it.each(Object.entries(packed))('in %j is read', async (encoding, bytes) => {
    expect(await readableBody(bytes, encoding, MAX)).toEqual({ text: TEXT, encoding: 'utf8', truncated: false });
  });

  it('with raw deflate is read', async () => {
    expect((await readableBody(zlib.deflateRawSync(BYTES), 'deflate', MAX)).text).toBe(TEXT);
  });

  it.each(['gzip', 'deflate', 'br', 'zstd'])('that was cut inside %s is read up to the cut', async (encoding) => {
    const random = Buffer.from(Array.from({ length: 4000 }, (_, i) => `${(i * 7919) % 10007} `).join(''));
    const pack = {
      gzip: zlib.gzipSync,
      deflate: zlib.deflateSync,
      br: zlib.brotliCompressSync,
      zstd: zlib.zstdCompressSync,
    };
    const whole = pack[encoding as keyof typeof pack](random);
    const half = await readableBody(whole.subarray(0, whole.length - 40), encoding, { ...MAX, truncated: true });
    expect(half).toMatchObject({ encoding: 'utf8', truncated: true });
    expect(random.toString().startsWith(half.text)).toBe(true);
    expect(half.text.length > 1000 || encoding === 'zstd').toBe(true);
  });

  it.each([
    ['gzip', zlib.gzipSync(Buffer.alloc(200 * 1024 * 1024))],
    [
      'br',
      zlib.brotliCompressSync(Buffer.alloc(200 * 1024 * 1024), {
        params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 },
      }),
    ],
    ['zstd', zlib.zstdCompressSync(Buffer.alloc(200 * 1024 * 1024))],
  ])('that stands for 200 MB in %s ends at the bound', async (encoding, bomb) => {
    const before = process.memoryUsage().rss;
    const { text, truncated } = await readableBody(bomb, encoding, { maxBytes: 10_000, truncated: false });
    expect([text.length, truncated]).toEqual([10_000, true]);
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024);
  });

  it.each([
    ['with a wrong encoding', 'gzip', Buffer.from('plain')],
    ['in an unknown encoding', 'rot13', Buffer.from('plain')],
    ['with too many encodings', Array.from({ length: 9 }, () => 'gzip').join(), Buffer.from('plain')],
  ])('%s is shown as it came', async (_, encoding, bytes) => {
    expect(await readableBody(bytes, encoding, MAX)).toEqual({ text: 'plain', encoding: 'utf8', truncated: false });
  });

  it('of bytes that are not text is returned as base64', async () => {
    const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff]);
    expect(await readableBody(png, '', MAX)).toEqual({ text: 'iVBOR/8=', encoding: 'base64', truncated: false });
    expect((await readableBody(BYTES.subarray(0, 16), '', MAX)).encoding).toBe('base64');
  });

  it('cut inside a character is text up to there', async () => {
    const cut = BYTES.subarray(0, Buffer.byteLength('{"greeting":"Grüße 🔑') - 1);
    expect(await readableBody(cut, '', { ...MAX, truncated: true })).toEqual({
      text: '{"greeting":"Grüße ',
      encoding: 'utf8',
      truncated: true,
    });
  });

  it('keeps its byte order mark', async () => {
    expect((await readableBody(Buffer.from('\ufeffa'), '', MAX)).text).toBe('\ufeffa');
  });
});
