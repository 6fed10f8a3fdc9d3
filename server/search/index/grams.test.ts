import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CODES, createGramExtraction, eachTrigram, foldInto, TRIGRAMS } from './grams.ts';

/** The distinct grams of a text in order, by a plain implementation. */
function plainly(bytes: Uint8Array, common: number[]): number[] {
  const codes = new Uint8Array(bytes.length);
  const grams = new Set<number>();
  eachTrigram(codes, foldInto(bytes, codes), (trigram, follower = CODES - 1) => {
    const rank = common.indexOf(trigram);
    grams.add(rank < 0 ? trigram : TRIGRAMS + rank * CODES + follower);
  });
  return [...grams];
}

const trigramsOf = (text: string) => plainly(Buffer.from(text), []);
const piece = fc.constantFrom('fetch', 'Order', 'ſ', 'x\u017f', '\u212a', '日本', '\n', 'x', 'é', 'ⅅ', '😀', '\r\n');
const text = fc.array(piece, { maxLength: 12 }).map((pieces) => Buffer.from(`${pieces.join('')}\n`));
/** Arbitrary bytes that end with a truncated multi-byte sign. */
const anyBytes = fc.uint8Array({ maxLength: 60 }).map((bytes) => Uint8Array.of(...bytes, 0xe2, 0x84, 10));

it('extracts each gram of a document once, whatever was extracted before', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(text, anyBytes), { maxLength: 8 }), (texts) => {
      const noting = createGramExtraction();
      const common = [...new Set(trigramsOf('fetch\nOrder'))].sort((a, b) => a - b);
      noting.learn(Uint32Array.from(common));
      for (const bytes of texts) expect([...noting.gramsOf(bytes)]).toEqual(plainly(bytes, common));
    }),
    { numRuns: 50 },
  );
});

it('extracts the same grams after more documents than marks, and after one that grows the memory', () => {
  const noting = createGramExtraction();
  const [bytes, other] = [Buffer.from('the same line\n'), Buffer.from('another one\n')];
  for (let times = 0; times < 600; times++)
    expect(noting.gramsOf(times % 255 === 0 ? bytes : other)).toHaveLength(times % 255 === 0 ? 11 : 9);
  const long = Buffer.from(`${'0123456789abcdef'.repeat(40_000)}\n`);
  expect([...noting.gramsOf(long)]).toEqual(plainly(long, []));
  expect(noting.gramsOf(bytes)).toHaveLength(11);
});
