import { describe, expect, it } from 'vitest';
import { likenessOf } from './likeness.ts';

const of = (files: Record<string, string>) =>
  likenessOf(Object.entries(files).map(([path, text]) => ({ path, bytes: Buffer.from(text) }))).toString('hex');
const same = (path: string, one: string, other: string) => of({ [path]: one }) === of({ [path]: other });

describe('documents are alike', () => {
  it.each([
    ['a.ts', 'const a = 1;\nreturn a', '// said\nconst  a=1 ; return a\n'],
    ['a.ts', 'f(a, b)', 'f(\r\n\ta,\r\n\tb\r\n)'],
    ['a.ts', 'x /* one */ = 2', 'x = /* two\nlines */ 2'],
    ['a.py', 'def f():\n  return 1\n', '# said\ndef f():  # more\n\n  return 1'],
    ['a.css', 'a { color: red }', '/* said */ a{color:red}'],
    ['a.unknown', 'one  two', 'one\ntwo'],
  ])('%s: %j and %j', (path, one, other) => expect(same(path, one, other)).toBe(true));

  it('whatever their prose and the name in package.json say, in any order of files', () => {
    const code = { 'a.js': 'x', 'package.json': '{"name":"a","version":"1.0.0","type":"module"}', 'README.md': 'A' };
    const other = { 'package.json': '{ "type": "module", "name": "b" }', 'a.js': 'x' };
    expect(of(code)).toBe(of(other));
  });
});

describe('documents differ', () => {
  it.each([
    ['a.ts', 'const a = 1', 'const a = 2'],
    ['a.ts', '"a  b"', '"a b"'],
    ['a.ts', "'//one'", "'//two'"],
    ['a.ts', '`a\n// one`', '`a\n// two`'],
    ['a.ts', 'x = /\\/*/; y = 1; /**/', 'x = /\\/*/; y = 2; /**/'],
    ['a.ts', 'x = /"/ + 1; // "\nb', 'x = /"/ + 2; // "\nb'],
    ['a.ts', '<a>http://one</a>', '<a>http://two</a>'],
    ['a.ts', 'a /* never closed 1', 'a /* never closed 2'],
    ['a.ts', 'return x', 'returnx'],
    ['a.py', 'if x:\n  a()\nb()', 'if x:\n  a()\n  b()'],
    ['a.py', '"""\n# one\n"""', '"""\n# two\n"""'],
    ['a.json', '{"a": "# 1"}', '{"a": "# 2"}'],
    ['a.unknown', '// one', '// two'],
  ])('%s: %j and %j', (path, one, other) => expect(same(path, one, other)).toBe(false));

  it('in the paths of their files, and in prose without code', () => {
    expect(of({ 'a.ts': 'x' })).not.toBe(of({ 'b.ts': 'x' }));
    expect(of({ 'a.ts': 'x', 'b.ts': '' })).toBe(of({ 'a.ts': 'x' }));
    expect(of({ 'README.md': 'one' })).not.toBe(of({ 'README.md': 'two' }));
    expect(of({ 'a.ts': '// one' })).not.toBe(of({ 'a.ts': '// two' }));
    expect(of({ 'package.json': '[1' })).not.toBe(of({ 'package.json': '[2' }));
  });
});
