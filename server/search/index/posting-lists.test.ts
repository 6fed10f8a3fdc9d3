import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bitsLength, createOrdering, type Ordered } from './posting-lists.ts';

function orderedOf(codes: number[][]): Ordered {
  const ordering = createOrdering();
  for (const grams of codes) ordering.add(Uint32Array.from(grams));
  return ordering.finish();
}

/** By gram: the documents of its posting list. */
function read({ grams, bytes, ends, sums }: Ordered, codes: number): [gram: number, codes: number[]][] {
  return [...grams].map((gram, at) => {
    const list = bytes.subarray(ends[at], ends[at + 1]);
    expect(sums[at]).toBe(crc32(list));
    return [gram, list.length < bitsLength(codes) ? distances(list) : bits(list)];
  });
}

function distances(list: Uint8Array): number[] {
  const found: number[] = [];
  let [last, distance, shift] = [-1, 0, 0];
  for (const byte of list) {
    distance |= (byte & 127) << shift;
    shift += 7;
    if (byte > 127) continue;
    last += distance;
    found.push(last);
    [distance, shift] = [0, 0];
  }
  return found;
}

const bits = (list: Uint8Array) =>
  Array.from({ length: 8 * list.length }, (_, code) => code).filter(
    (code) => ((list[code >> 3] ?? 0) >> (code & 7)) & 1,
  );

function plainly(codes: number[][]): [gram: number, codes: number[]][] {
  const all = new Map<number, number[]>();
  for (const [code, grams] of codes.entries())
    for (const gram of grams) all.set(gram, [...(all.get(gram) ?? []), code]);
  return [...all].sort(([a], [b]) => a - b);
}

it('lists for each gram the documents that have it, in order, and no other gram', () => {
  const gram = fc.oneof(fc.nat({ max: 9 }), fc.constantFrom(2047, 2048, 262_143, 524_287), fc.nat({ max: 524_287 }));
  const code = fc.uniqueArray(gram, { maxLength: 12 });
  fc.assert(
    fc.property(fc.array(code, { maxLength: 40 }), (codes) => {
      expect(read(orderedOf(codes), codes.length)).toEqual(plainly(codes));
    }),
    { numRuns: 100 },
  );
});

it('lists documents that fill several chunks, and documents that are far apart', () => {
  const codes = Array.from({ length: 40_000 }, (_, n) => [5, ...(n % 3 ? [6] : []), ...(n % 20_000 ? [] : [4000 + n])]);
  expect(read(orderedOf(codes), codes.length)).toEqual([
    [5, codes.map((_, n) => n)],
    [6, codes.flatMap((_, n) => (n % 3 ? [n] : []))],
    [4000, [0]],
    [24_000, [20_000]],
  ]);
});
