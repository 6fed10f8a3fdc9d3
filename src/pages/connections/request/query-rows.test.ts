import { describe, expect, it } from 'vitest';
import { queryRows, withoutQueryRow, withQueryRow } from './query-rows.ts';

describe('the query of a URL as rows', () => {
  it('reads names and values', () => {
    expect(queryRows('/items?a=1&b=x%20y+z&flag&c=a=b')).toEqual([
      { name: 'a', value: '1' },
      { name: 'b', value: 'x y z' },
      { name: 'flag', value: '' },
      { name: 'c', value: 'a=b' },
    ]);
    expect(queryRows('/items')).toEqual([]);
    expect(queryRows('/items?')).toEqual([]);
  });

  it('shows an invalid escape as written', () => {
    expect(queryRows('/items?share=50%')).toEqual([{ name: 'share', value: '50%' }]);
  });

  it('changes one row and leaves the bytes of the others', () => {
    expect(withQueryRow('/items?q=a+b&r=%7e&s=1', 2, { name: 's', value: 'ü & ?' })).toBe(
      '/items?q=a+b&r=%7e&s=%C3%BC%20%26%20%3F',
    );
  });

  it('leaves characters unescaped that a query allows', () => {
    expect(withQueryRow('/items', 0, { name: 'since', value: '2026-11-21T08:00:00,a/b@c' })).toBe(
      '/items?since=2026-11-21T08:00:00,a/b@c',
    );
  });

  it('adds a row after the last, and removes one', () => {
    const added = withQueryRow('/items?a=1', 1, { name: 'b', value: '' });
    expect(added).toBe('/items?a=1&b');
    expect(withQueryRow(added, 1, { name: 'b', value: '2' })).toBe('/items?a=1&b=2');
    expect(withoutQueryRow('/items?a=1&b=2', 0)).toBe('/items?b=2');
    expect(withoutQueryRow('/items?a=1', 0)).toBe('/items');
  });

  it('parses its own output, for any input', () => {
    for (const value of ['50%', 'a&b=c', 'x+y', '日本', '\ud800', '#', ' ']) {
      const path = withQueryRow('/', 0, { name: 'v', value });
      expect(path).toMatch(/^[\x21-\x7e]+$/);
      expect(queryRows(path)[0]?.value).toBe(value.toWellFormed());
    }
  });
});
