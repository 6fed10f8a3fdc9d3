import { describe, expect, it } from 'vitest';
import { readPayload } from './payload-text.ts';

describe('a typed payload', () => {
  it('must be an object', () => {
    expect(readPayload('{"a": [1, null]}')).toEqual({ payload: { a: [1, null] } });
    for (const text of ['[1]', 'null', '"text"', '7']) {
      expect(readPayload(text)).toEqual({ problem: 'Enter a JSON object: { … }.' });
    }
  });

  it('reports the line of a syntax error', () => {
    expect(readPayload('{\n  "a": 1,\n  b\n}')).toEqual({ problem: 'Invalid JSON: see line 3.' });
    expect(readPayload('{')).toHaveProperty('problem');
    expect(readPayload('')).toEqual({ problem: 'Invalid JSON: unexpected end.' });
  });

  it('preserves unusual keys', () => {
    const read = readPayload('{"__proto__": {"x": 1}}');
    expect(JSON.stringify('payload' in read && read.payload)).toBe('{"__proto__":{"x":1}}');
  });
});
