import { describe, expect, it } from 'vitest';
import { isInRange, readVersionRange } from './version-range.ts';

describe('a range of versions', () => {
  it.each([
    ['<14', ['13.9.9', '0.1.0'], ['14.0.0', '15.1.0']],
    ['<=14', ['14.9.9'], ['15.0.0']],
    ['>14', ['15.0.0'], ['14.9.9']],
    ['>=14.2', ['14.2.0'], ['14.1.9']],
    ['14', ['14.0.0', '14.9.1'], ['13.9.9', '15.0.0']],
    ['=14.2.1', ['14.2.1'], ['14.2.2']],
    ['14.x', ['14.3.0'], ['15.0.0']],
    ['^1.2.3', ['1.9.0'], ['1.2.2', '2.0.0']],
    ['^0.2.3', ['0.2.9'], ['0.3.0']],
    ['^0.0.3', ['0.0.3'], ['0.0.4']],
    ['~1.2', ['1.2.9'], ['1.3.0']],
    ['~1', ['1.9.0'], ['2.0.0']],
    ['>=1 <2.4', ['2.3.9'], ['0.9.0', '2.4.0']],
    ['>= 1, < 2', ['1.0.0'], ['2.0.0']],
    ['<14', ['13.0.0-beta.1'], ['14.0.0-beta.1', 'latest', '']],
  ])('%s', (text, inside, outside) => {
    const range = readVersionRange(text);
    expect(range).toBeDefined();
    for (const version of inside) expect([version, isInRange(version, range ?? [])]).toEqual([version, true]);
    for (const version of outside) expect([version, isInRange(version, range ?? [])]).toEqual([version, false]);
  });

  it.each(['', 'latest', '<', '1.2.3.4', '>x', '1 || 2'])('%j is none', (text) =>
    expect(readVersionRange(text)).toBeUndefined(),
  );
});
