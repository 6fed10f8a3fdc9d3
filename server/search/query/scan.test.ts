import { describe, expect, it } from 'vitest';
import { readBundle, toBundle } from '../../functions/versions/bundle.ts';
import { compileMatcher } from './matcher.ts';
import { scanFiles } from './scan.ts';

const literal = (query: string) => ({ mode: 'literal', query, caseSensitive: true }) as const;

describe('scanFiles', () => {
  const matcher = compileMatcher(literal('hit'));

  it('counts lines as ripgrep does', () => {
    const count = (text: string, query = 'hit') =>
      scanFiles([['a', text]], compileMatcher(literal(query)), 0).hit_count;
    expect(count('hit hit\nhit\n')).toBe(2);
    expect(count('')).toBe(0);
    expect(
      scanFiles([['a', 'x\n\ny\n']], compileMatcher({ mode: 'regex', query: '^$', caseSensitive: true }), 0).hit_count,
    ).toBe(1);
  });

  it('returns the existing lines around a hit', () => {
    const { hits } = scanFiles([['a.ts', '1\n2\nhit\n4\n5\n']], matcher, 3);
    expect(hits).toEqual([{ path: 'a.ts', line: 3, text: 'hit', before: ['1', '2'], after: ['4', '5'] }]);
  });

  it('keeps the first 50 hits and counts all', () => {
    const found = scanFiles([['a', 'hit\n'.repeat(70)]], matcher, 0);
    expect(found.hit_count).toBe(70);
    expect(found.hits).toHaveLength(50);
  });

  it('checks regularly whether to continue, even without matches, and stops when it returns false', () => {
    for (const query of ['z.*[0-9]$', '(?:(x+x+)+y|q.)$']) {
      const slow = compileMatcher({ mode: 'regex', query, caseSensitive: true });
      let asked = 0;
      const ask = (isOn: boolean) => {
        asked = 0;
        const mayContinue = () => {
          asked += 1;
          return isOn;
        };
        return scanFiles([['a', `${'xxxxz'.repeat(20)}\n`.repeat(5000)]], slow, 0, { mayContinue });
      };
      expect(ask(true)).toEqual({ hit_count: 0, hits: [] });
      expect(asked, query).toBeGreaterThan(10);
      ask(false);
      expect(asked, query).toBe(1);
    }
  });

  it('shows the part of a long line that matched', () => {
    const [hit] = scanFiles([['a', `${'x'.repeat(5000)}hit${'y'.repeat(5000)}`]], matcher, 0).hits;
    expect(hit?.text).toHaveLength(1002);
    expect(hit?.text).toContain('hit');
  });

  it('cuts a long line between characters', () => {
    for (const lead of ['', 'x']) {
      const text = `${lead}${'😀'.repeat(2000)}hit${'😀'.repeat(2000)}\n${lead}${'😀'.repeat(2000)}`;
      const [hit] = scanFiles([['a', text]], matcher, 1).hits;
      expect(hit?.text).toContain('hit');
      expect(hit?.text.isWellFormed()).toBe(true);
      expect(hit?.after[0]?.isWellFormed()).toBe(true);
    }
  });
});

describe('bundles', () => {
  it('have the same bytes whatever the order of the files', () => {
    const one = toBundle({ 'b.ts': '2', 'a.ts': '1', '10': 'x', '9': 'y' });
    expect(toBundle({ '9': 'y', '10': 'x', 'a.ts': '1', 'b.ts': '2' })).toEqual(one);
    expect(readBundle(one)).toEqual({ 'a.ts': '1', 'b.ts': '2', '10': 'x', '9': 'y' });
  });
});
