import { describe, expect, it } from 'vitest';
import { readBundle, toBundle } from '../../functions/versions/bundle.ts';
import { bundleTexts } from './bundle-texts.ts';
import { packBundle, packCode } from './packed-code.ts';

const packed = (bundle: Uint8Array) => Buffer.from(packBundle(bundle));
const expected = (bundle: Uint8Array) => Buffer.from(packCode(readBundle(bundle)));
const bundleOf = (text: string) => Buffer.from(`{"files":{${text}}}`);

describe('the bytes of a bundle are packed like its files', () => {
  it.each<[what: string, files: Record<string, string>]>([
    ['several files', { 'a.ts': 'one\n', 'b/c.ts': '', 'package.json': '{\n\t"name": "a"\n}\r\n' }],
    ['escapes', { 'a.ts': 'quote " backslash \\ slash / tab \t back \b feed \f bell \u0007 unit \u001f del \u007f' }],
    ['each length before an escape', Object.fromEntries([...Array(40).keys()].map((n) => [`${n}.ts`, 'x'.repeat(n)]))],
    ['letters beyond ASCII', { 'größe.ts': 'größe 漢字 😀\u2028' }],
    ['byte order marks, of which one is removed', { 'a.ts': '\ufeffa\ufeff', 'b.ts': '\ufeff\ufeff' }],
  ])('%s', (_, files) => {
    const bundle = toBundle(files);
    expect(bundleTexts(bundle)).toBeDefined();
    expect(packed(bundle)).toEqual(expected(bundle));
  });

  it.each<[what: string, bundle: Uint8Array]>([
    ['no files', toBundle({})],
    ['paths with escapes', toBundle({ 'a"b.ts': 'x' })],
    ['paths that objects have first', toBundle({ 'a.ts': 'x', '1': 'y' })],
    ['half a character', toBundle({ 'a.ts': 'x\ud800y' })],
    ['escapes beyond ASCII', bundleOf('"a.ts":"\\u00e9\\ufeff"')],
    ['a byte order mark as an escape', bundleOf('"a.ts":"\\ufeffx"')],
    ['white space', bundleOf(' "a.ts" : "x" ')],
    ['a path twice', bundleOf('"a.ts":"x","a.ts":"y"')],
    ['bytes that are no UTF-8', bundleOf('"a.ts":"x"').fill(0xff, 18, 19)],
    ['thousands of files', toBundle(Object.fromEntries([...Array(5000).keys()].map((n) => [`f${n}.ts`, 'x'])))],
  ])('also with %s, which JavaScript reads', (_, bundle) => {
    expect(bundleTexts(bundle)).toBeUndefined();
    expect(packed(bundle)).toEqual(expected(bundle));
  });

  it('and each cut or changed bundle is read equally, or refused', () => {
    const whole = toBundle({ 'a.ts': 'one "two"\n', 'b.ts': '\u0001 é' });
    const attempt = (read: (bundle: Uint8Array) => Buffer, bundle: Uint8Array) => {
      try {
        return read(bundle).toString('hex');
      } catch {
        return 'refused';
      }
    };
    for (let at = 0; at < whole.length; at++) {
      const cut = whole.subarray(0, at);
      expect(attempt(packed, cut), cut.toString()).toBe('refused');
      for (const byte of [0, 0x20, 0x22, 0x2c, 0x30, 0x5c, 0x7d, 0x80]) {
        const changed = Buffer.from(whole);
        changed[at] = byte;
        expect(attempt(packed, changed), changed.toString()).toBe(attempt(expected, changed));
      }
    }
  });
});
