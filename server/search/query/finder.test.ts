import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Text } from '../kernels/byte-finder.ts';
import { roomForCode } from '../kernels/byte-finder.ts';
import { finderOf } from './finder.ts';
import { compileMatcher } from './matcher.ts';

const piece = fc.constantFrom(
  'fetch',
  'ORDER',
  'sK',
  'ſ',
  '\u212a',
  'İ',
  'ı',
  '日本',
  '\n',
  'x',
  'É',
  'é',
  '.(',
  '😀',
  '\r',
);
const textOf = (maxLength: number) => fc.array(piece, { minLength: 1, maxLength }).map((pieces) => pieces.join(''));
const escaped = (text: string) => text.replace(/[.(]/g, '\\$&');

/** Whether the bytes of a text may have one of these. */
function mayHave(texts: Text[], text: string): boolean {
  const { inBytes } = finderOf(texts);
  const code = Buffer.from(text);
  return inBytes?.some((finder) => finder.find(code, 0) >= 0 || finder.mayHaveOtherwise(code)) ?? true;
}

describe('a finder', () => {
  it('finds each occurrence of its texts, case-sensitive or not, and no other place', () => {
    const sought = fc.array(fc.record({ text: textOf(2), fold: fc.boolean() }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(textOf(12), sought, (text, given) => {
        // One that heeds no case makes all of them heed none, as lines are looked at afterwards.
        const fold = given.some((each) => each.fold);
        const texts = given.map((each) => ({ text: each.text, fold }));
        const expected = [
          ...text.matchAll(new RegExp(texts.map((each) => escaped(each.text)).join('|'), fold ? 'giu' : 'gu')),
        ];
        const { find } = finderOf(texts);
        const found: number[] = [];
        for (let at = find(text, 0); at >= 0; at = find(text, at + (expected[found.length - 1]?.[0].length ?? 1)))
          found.push(at);
        expect(found).toEqual(expected.map(({ index }) => index));
        if (expected.length > 0) expect(mayHave(texts, text)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it('finds a text by its rarest character, wherever in the text that is', () => {
    const texts = ['  = ', ' =', 'eeZee', 'ZZ', 'e e', '==', ' ~ ', '日 = ', '😀e😃', 'aaZ', ' 1'];
    const code = `${texts.join('')}${texts.toReversed().join(' ')}eZeeZZ ==Z  =   = 😀😀e😃 `;
    for (const text of texts) {
      const sought = [{ text, fold: false }];
      const { find } = finderOf(sought);
      for (let from = 0; from <= code.length; from++) expect(find(code, from), text).toBe(code.indexOf(text, from));
      for (let to = 0; to <= code.length; to++) {
        const part = code.slice(0, to);
        if (part.includes(text)) expect(mayHave(sought, part), text).toBe(true);
        else if (part.isWellFormed()) expect(mayHave(sought, part), text).toBe(false);
      }
    }
  });

  it('rules out code by its bytes', () => {
    const mayBeIn = (text: string, fold: boolean, code: string) => mayHave([{ text, fold }], code);
    expect(mayBeIn('日本', false, 'in 日本')).toBe(true);
    expect(mayBeIn('日本', false, 'in 日木')).toBe(false);
    expect(mayBeIn('日本x', true, 'in 日本X')).toBe(true);
    expect(mayBeIn('日本x', true, 'in 日本Y')).toBe(false);
    expect(mayBeIn('[]', true, 'in {}')).toBe(false);
    expect(mayBeIn('skip', true, `${'é'.repeat(100)} ſKIP`)).toBe(true);
    expect(mayBeIn('skip', true, `${'é'.repeat(100)} SKOP`)).toBe(false);
  });

  it('looks through all of the bytes and no further, wherever the text is, however long it is', () => {
    for (const length of [1, 2, 3, 15, 16, 17, 33, 300]) {
      const sought = `${'a'.repeat(length - 1)}Z`;
      for (let before = 0; before < 40; before++) {
        for (const behind of [0, 1, 40]) {
          const code = `${'.'.repeat(before)}${sought}${'.'.repeat(behind)}`;
          for (const fold of [false, true]) expect(mayHave([{ text: sought, fold }], code), code).toBe(true);
          const { inBytes: [finder] = [] } = finderOf([{ text: sought, fold: true }]);
          const room = roomForCode(code.length);
          room.write(code.toLowerCase());
          expect(finder?.find(room, 0)).toBe(before);
          if (length > 256) continue;
          expect(finder?.find(room, before + 1)).toBe(-1);
          expect(finder?.find(room.subarray(0, before + length - 1), 0)).toBe(-1);
        }
      }
    }
  });
});

describe('what a line must hold beside the text it was found by', () => {
  const count = (query: string, text: string, caseSensitive = true) => {
    let lines = 0;
    compileMatcher({ mode: 'regex', query, caseSensitive }).eachLine(text, () => {
      lines += 1;
      return true;
    });
    return lines;
  };

  it('rules out no line that matches', () => {
    expect(count('orders.*[(]', 'orders.get(\norders.get\n(orders\n')).toBe(1);
    expect(count('orders.*Ship\\(', 'ORDERS.ſhip(\nOrders.SHIP(\norders.shop(\n', false)).toBe(2);
    expect(count('orders.*\u212aeep', 'Orders keep\norders KEEP\norders \u212aeep\norders kept\n', false)).toBe(3);
    expect(count('orders.*é+x', 'Orders ÉX\norders éx\norders ex\n', false)).toBe(2);
    expect(count('orders.*(?i:ship)', 'orders SHIP\nORDERS ship\n')).toBe(1);
  });

  it('nor does what must follow that text, or a row of characters, however long', () => {
    const many = (char: string, times: number) => char.repeat(times);
    for (const times of [0, 1, 15, 16, 17, 18, 300]) {
      expect(count('ab\\w*\\s*\\(', `ab${many('x', times)}${many(' ', times)}(\nab${many('x', times)}.(\n`)).toBe(1);
      expect(count('ab\\w*[.]', `AB${many('\u212a', times)}.\nabé.\n`, false)).toBe(1);
      expect(count('ab[a-z]{0,17}[(]', `ab${many('x', times)}(\n`)).toBe(times > 17 ? 0 : 1);
    }
    expect(count('\\d{20}$', `${many('1', 20)}\n${many('1', 19)}\nx${many('1', 30)}\n`)).toBe(2);
    expect(count('(x+x+)+y', 'xxy\nxy\nxxxxy\nxxz\n')).toBe(2);
    expect(count('[ks]{3}[)]', '\u212aſs)\nKS)\n', false)).toBe(1);
    expect(count('[A-Z_]{2,} = \\d', 'A_B = 1\na = 1\nAB = x\r\nx AB = 7')).toBe(2);
  });
});
