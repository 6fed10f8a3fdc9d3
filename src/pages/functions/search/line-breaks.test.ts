import { expect, test } from 'vitest';
import { readQuery } from '../../../../contract/search/search-query.ts';
import { asSent, asShown, withPasted } from './line-breaks.ts';

const paste = (query: string, pasted: string, from = query.indexOf('|')) =>
  withPasted(query.replace('|', ''), pasted, { from, to: from });

test.each([
  ['|', 'if (a) {\n  b();\n}\n', '"if (a) {\n  b();\n}"'],
  ['|', 'say("a")\r\nb\\', '"say(\\"a\\")\nb\\\\"'],
  ['"|"', 'a\nb', '"a\nb"'],
  ['path:src/ "x|', 'a\nb', 'path:src/ "xa\nb'],
  ['"x" -"|', 'a\nb', '"x" -"a\nb'],
  ['/x|/', 'a\r\nb', '/xa\\nb/'],
  ['"x" |', 'a\nb', '"x" a b'],
  ['order |', '  a\n  b\n', 'order a b'],
  ['|', '\none\n', 'one'],
  ['|', '"const\n  one"\n', '"const\n  one"'],
  ['|', 'one "two\nthree"', '"one \\"two\nthree\\""'],
])('%j with the lines %j becomes %j', (query, pasted, expected) => expect(paste(query, pasted)).toBe(expected));

test('a selection is replaced', () => {
  expect(withPasted('"old"', 'a\nb', { from: 1, to: 4 })).toBe('"a\nb"');
  expect(withPasted('old', 'a\nb', { from: 0, to: 3 })).toBe('"a\nb"');
});

test('pasted lines are read as one literal, and shown at the same positions', () => {
  const query = paste('|', 'const a = "1";\n\treturn a;');
  expect(readQuery(query)).toEqual({ mode: 'literal', query: 'const a = "1";\n\treturn a;' });
  expect(asShown(query)).toHaveLength(query.length);
  expect(asShown(query)).not.toContain('\n');
  expect(asSent(asShown(query))).toBe(query);
});
