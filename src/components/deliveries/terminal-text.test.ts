import { expect, test } from 'vitest';
import { cutPieces, plainText, readTerminal } from './terminal-text.ts';

const shown = (message: string) => readTerminal(message).pieces?.map(({ text, ink }) => [text, ink]);

test('terminal colours become console colours, and escape codes are removed', () => {
  expect(shown('\x1b[31mred\x1b[0m, \x1b[1;92mgreen\x1b[39m')).toEqual([
    ['red', 'bad'],
    [', ', undefined],
    ['green', 'ok'],
  ]);
  expect(shown('\x1b[90m12:00\x1b[m \x1b[33mslow')).toEqual([
    ['12:00', 'com'],
    [' ', undefined],
    ['slow', 'warn'],
  ]);
  expect(shown('\x1b[38;5;4mblue\x1b[38;2;255;31;0mother\x1b[48;5;1mbehind')).toEqual([
    ['blue', 'fn'],
    ['other', undefined],
    ['behind', undefined],
  ]);
  expect(shown('\x1b[1mbold\x1b[22m')).toBeUndefined();
});

test.each([
  ['\x1b[2K\x1b[1Gdone', 'done'],
  ['\x1b]8;;https://example.com\x07a link\x1b]8;;\x07', 'a link'],
  ['\x1b]0;a title\x1b\\text', 'text'],
  ['\x9b31mred\x9b0m', 'red'],
  ['\x1b(Bplain\x07\x00\x08', 'plain'],
  ['a\tb\r\nc', 'a\tb\r\nc'],
  ['\x1b[31', '31'],
  ['\x1b]never ends', ''],
  ['no codes [31m of any', 'no codes [31m of any'],
])('%j is copied as %j', (message, text) => {
  expect(plainText(message)).toBe(text);
});

test('offsets of matches in the message map to the text', () => {
  const message = '\x1b[31mERROR\x1b[0m code';
  const { text, placeOf } = readTerminal(message);
  const at = message.indexOf('code');
  expect(text.slice(placeOf(at), placeOf(at + 4))).toBe('code');
  expect(text.slice(placeOf(0), placeOf(message.indexOf(' code')))).toBe('ERROR');
});

test('pieces are split at the ends of a code reference', () => {
  const { pieces = [] } = readTerminal('at \x1b[36msrc/a.ts\x1b[39m:\x1b[33m1\x1b[39m:2');
  expect(cutPieces(pieces, 3, 12)).toEqual([
    { text: 'src/a.ts', ink: 'key' },
    { text: ':', ink: undefined },
  ]);
});
