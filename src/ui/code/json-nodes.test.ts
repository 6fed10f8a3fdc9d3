import { describe, expect, it } from 'vitest';
import { joinPath, parseJson, plainly, prettyJson } from './json-nodes.ts';

describe('prettyJson', () => {
  it('preserves order, duplicate keys and the notation of numbers', () => {
    expect(prettyJson('{"b":1.0,"2":[],"1":{},"a":12345678901234567890,"a":-0.5e+3}')).toBe(
      '{\n  "b": 1.0,\n  "2": [],\n  "1": {},\n  "a": 12345678901234567890,\n  "a": -0.5e+3\n}',
    );
  });

  it('reads escapes, white space and nesting', () => {
    expect(prettyJson(' [ "a\\"b\\u00e9" , [ { "x" : null } ] , true ] ')).toBe(
      '[\n  "a\\"bé",\n  [\n    {\n      "x": null\n    }\n  ],\n  true\n]',
    );
  });

  it('returns other text unchanged', () => {
    for (const text of ['', '{', "{'a':1}", 'a=1&b=2', '[1,]']) expect(prettyJson(text)).toBe(text);
  });

  it('agrees with JSON.parse for plain documents', () => {
    const value = { a: [1, -2.5, 'x\n\t', { b: null, c: [[], {}] }], d: '', e: false };
    expect(JSON.parse(prettyJson(JSON.stringify(value)))).toEqual(value);
  });
});

describe('parseJson', () => {
  it('is undefined for other text, a node for a bare value', () => {
    expect(parseJson('nope')).toBeUndefined();
    expect(parseJson('7')).toEqual({ kind: 'literal', text: '7' });
  });
});

describe('joinPath', () => {
  it('writes paths in JavaScript notation', () => {
    expect(joinPath('', 'data')).toBe('data');
    expect(joinPath('data', 'amount_due')).toBe('data.amount_due');
    expect(joinPath('data', 3)).toBe('data[3]');
    expect(joinPath('data', 'x-y')).toBe('data["x-y"]');
  });
});

it('escapes bidirectional control characters', () => {
  expect(plainly('"invoice\u202egpj.exe"')).toBe('"invoice\\u202egpj.exe"');
  expect(plainly('"שלום"')).toBe('"שלום"');
});
