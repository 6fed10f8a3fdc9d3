import { expect, it } from 'vitest';
import { patternsInJson } from './text-in-json.ts';

it('is one pattern for a text without escapes', () => {
  expect(patternsInJson('order 100%_')).toEqual(['%order 100\\%\\_%']);
});

/** The serialization of one text by each sender. */
const senders: [string, (text: string) => string][] = [
  ['JavaScript', JSON.stringify],
  ['Python', (text) => JSON.stringify(text).replace(/[^\0-~]/g, unicode)],
  ['Go', (text) => JSON.stringify(text).replace(/[<>&]/g, unicode)],
  [
    'PHP',
    (text) =>
      JSON.stringify(text)
        .replaceAll('/', '\\/')
        .replace(/[^\0-~]/g, unicode),
  ],
];
const unicode = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

it.each(senders)('finds what %s wrote', (_, write) => {
  for (const text of ['été', 'a "b"\n\\c', 'a/b', '<b>&', '😀', 'plain']) {
    const found = patternsInJson(text).some((each) => write(`… ${text} …`).includes(plain(each)));
    expect(found, text).toBe(true);
  }
});

it('finds the other case of a letter that is escaped', () => {
  expect(patternsInJson('Été').map(plain)).toEqual(expect.arrayContaining(['\\u00e9t\\u00e9', '\\u00c9T\\u00c9']));
});

const plain = (pattern: string) => pattern.slice(1, -1).replace(/\\([\\%_])/g, '$1');
