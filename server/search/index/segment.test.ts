import { hash } from 'node:crypto';
import { closeSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Need } from '../query/needs.ts';
import { allTexts, filesOf, packCode, pathsOf } from './packed-code.ts';
import { Segment } from './segment.ts';
import { buildSegment } from './segment-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'sluice-segments-'));
afterAll(() => rmSync(folder, { recursive: true }));

const addressOf = (number: number) => hash('sha256', String(number));

function segmentOf(texts: string[]): Segment {
  const builder = buildSegment(folder);
  for (const [index, text] of texts.entries()) builder.add(index * 10, addressOf(index), packCode({ 'a.ts': text }));
  return new Segment(builder.finish(1));
}

const piece = fc.constantFrom('fetch', 'Order', 'ſ', '\u212a', '日本', '\n', 'x', 'é', '.', '😀', '\r');
const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));

it('has every document with a text among its candidates, and returns each document unchanged', () => {
  fc.assert(
    fc.property(
      fc.array(text, { minLength: 1, maxLength: 40 }),
      fc.array(fc.tuple(text, fc.boolean()), { minLength: 1, maxLength: 5 }),
      (texts, sought) => {
        const segment = segmentOf(texts);
        for (const [whole, fold] of sought) {
          const line = whole.replaceAll('\n', '');
          const candidates = segment.candidates({ text: line, fold });
          const pattern = new RegExp(line.replace(/[.]/g, '\\.'), fold ? 'iu' : 'u');
          for (const [place, each] of texts.entries())
            if (pattern.test(each)) expect(candidates === null || candidates.includes(place), line).toBe(true);
        }
        expect(texts.map((_, place) => allTexts(segment.read(place)).slice(0, -1))).toEqual(texts);
        expect([...segment.numbers]).toEqual(texts.map((_, index) => index * 10));
        closeSync(segment.view.fd);
      },
    ),
    { numRuns: 100 },
  );
});

it('narrows candidates by all of several texts, and by any of several', () => {
  const segment = segmentOf(
    Array.from({ length: 300 }, (_, n) => `number ${n} of ${n % 4 === 1 ? 'odd' : 'even'} ones`),
  );
  const fold = false;
  const count = (need: Parameters<Segment['candidates']>[0]) => segment.candidates(need)?.length;
  expect(count({ text: 'number 299', fold })).toBe(1);
  expect(count({ text: 'nowhere', fold })).toBe(0);
  expect(count({ text: 'ab', fold })).toBeUndefined();
  expect(
    count({
      any: [
        { text: 'number 299', fold },
        { text: 'number 298', fold },
      ],
    }),
  ).toBe(2);
  expect(
    count({
      any: [
        { text: 'number 299', fold },
        { text: 'x', fold },
      ],
    }),
  ).toBeUndefined();
  expect(
    count({
      all: [
        { text: ' odd', fold },
        { text: ' 298 ', fold },
      ],
    }),
  ).toBe(0);
  closeSync(segment.view.fd);
});

it('stores a bitmap for a gram of most documents', () => {
  const segment = segmentOf(Array.from({ length: 300 }, (_, n) => `everywhere ${n % 100 === 7 ? 'seldom' : ''}`));
  const bytes = segment.view.indexBytes - segment.view.index.byteLength;
  expect(bytes).toBeLessThan(20 * Math.ceil(300 / 8));
  expect(segment.candidates({ text: 'everywhere', fold: false })).toHaveLength(300);
  expect(segment.candidates({ text: 'everywhere seldom', fold: false })).toHaveLength(3);
  closeSync(segment.view.fd);
});

describe('a segment of many documents', () => {
  // All have the trigrams of "created" in other words; few have the word, at the edges of lines and files.
  const edges = ['created', 'x\ncreated', 'created\r\n', '\n\ncreated\n\n', 'é created', 'createdé', 'CREATED('];
  const texts = Array.from({ length: 1400 }, (_, n) =>
    n % 200 === 199 ? (edges[(n - 199) / 200] ?? '') : `crea rea. eaten ated ted${n}\ncre\neat\nated\n`,
  );
  let segment: Segment;
  beforeAll(() => {
    segment = segmentOf(texts);
  });
  afterAll(() => closeSync(segment.view.fd));
  const places = (text: string, fold = false) => [...(segment.candidates({ text, fold }) ?? [])];
  const having = (text: string) => texts.flatMap((each, place) => (each.toLowerCase().includes(text) ? [place] : []));

  it('distinguishes common trigrams by the next character', () => {
    expect(segment.view.common).toBeGreaterThan(5);
    expect(places('created')).toEqual(having('created'));
    expect(places('Created', true)).toEqual(having('created'));
    expect(places('eatenx')).toEqual([]);
    expect(places('created\r')).toEqual(having('created\r'));
    expect(places('é created')).toEqual(having('é created'));
    expect(places('createdé')).toEqual(having('createdé'));
  });

  it('has every document as a candidate for a text that is one common trigram', () => {
    expect(segment.candidates({ text: 'cre', fold: false })).toBeNull();
  });

  it('unites several texts, and ignores unselective ones, there and in the next segment', () => {
    const text = (text: string) => ({ text, fold: true });
    const some = { any: [text('created\r'), text('createdé'), text('é created'), text('nowhere')] };
    // With this few candidates, no other lists are read.
    const few = having('created');
    const most = { any: [text('d1'), ...Array.from('023456789', (digit) => text(`ted${digit}`))] };
    const idle = new Set<Need>();
    expect([...(segment.candidates(some) ?? [])]).toEqual(few);
    expect(segment.candidates(most)).toBeNull();
    for (let times = 0; times < 2; times++) {
      expect([...(segment.candidates({ all: [most, some] }, idle) ?? [])]).toEqual(few);
      expect([...idle]).toEqual([most]);
    }
    expect(segment.candidates({ all: [most] }, idle)).toBeNull();
    expect([...(segment.candidates({ all: [some, { any: [text('qqq')] }] }) ?? [1])]).toEqual([]);
  });

  it('keeps its documents when it is merged with another', () => {
    const builder = buildSegment(folder);
    for (const [place, number] of segment.numbers.entries()) builder.add(number, addressOf(place), segment.read(place));
    const again = new Segment(builder.finish(2));
    expect(again.view.indexBytes).toBe(segment.view.indexBytes);
    expect([...(again.candidates({ text: 'created', fold: false }) ?? [])]).toEqual(having('created'));
    closeSync(again.view.fd);
  });
});

it('packs files of any text', () => {
  const files = { 'a.ts': 'no newline', 'b.ts': '', 'c/日本.ts': 'é\r\n😀\n', 'd.ts': '\n' };
  const packed = packCode(files);
  expect(pathsOf(packed)).toEqual(Object.keys(files));
  expect(Object.fromEntries(filesOf(packed, allTexts(packed)))).toEqual(files);
  const ascii = packCode({ 'a.ts': 'one', 'b.ts': 'two\n' });
  expect([...filesOf(ascii, allTexts(ascii))]).toEqual([
    ['a.ts', 'one'],
    ['b.ts', 'two\n'],
  ]);
});
