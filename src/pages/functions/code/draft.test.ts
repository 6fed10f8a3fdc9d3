import { describe, expect, test } from 'vitest';
import { changesOf, handlerAfter, mainFile, pathMistake, withMoved, withoutFile } from './draft.ts';

const files = { 'src/index.ts': 'a', 'src/other.ts': 'b' };

describe('a draft', () => {
  test('lists added, changed and removed files', () => {
    const after = { 'src/index.ts': 'a2', 'src/new.ts': 'c' };
    expect([...changesOf(files, after)]).toEqual([
      ['src/index.ts', 'changed'],
      ['src/new.ts', 'added'],
      ['src/other.ts', 'removed'],
    ]);
    expect(changesOf(files, { ...files }).size).toBe(0);
  });

  test('includes empty files', () => {
    expect([...changesOf({}, { 'a.ts': '' })]).toEqual([['a.ts', 'added']]);
  });

  test('moves a file with its text, and removes only the given file', () => {
    expect(withMoved(files, 'src/other.ts', 'lib/other.ts')).toEqual({ 'src/index.ts': 'a', 'lib/other.ts': 'b' });
    expect(withoutFile(files, 'src/other.ts')).toEqual({ 'src/index.ts': 'a' });
  });

  test('rejects the paths that the API rejects', () => {
    for (const path of ['', '/a.ts', '../a.ts', 'a//b.ts', 'a/', 'a/./b.ts', 'src/index.ts'])
      expect(pathMistake(path, files), path).toBeDefined();
    for (const path of ['a.ts', 'src/deep/er/a b.ts', '.env.example'])
      expect(pathMistake(path, files), path).toBeUndefined();
  });

  test('adjusts the handler when its file is moved, and only then', () => {
    expect(handlerAfter('src/index.default', files, withMoved(files, 'src/index.ts', 'app/main.ts'))).toBe(
      'app/main.default',
    );
    expect(handlerAfter('src/index.default', files, withMoved(files, 'src/other.ts', 'main.ts'))).toBe(
      'src/index.default',
    );
    expect(handlerAfter('src/index.default', files, withoutFile(files, 'src/index.ts'))).toBe('src/index.default');
  });

  test('opens the file of the handler first', () => {
    expect(mainFile({ 'a.ts': '', 'src/index.ts': '' }, 'src/index.default')).toBe('src/index.ts');
    expect(mainFile({ 'b.ts': '', 'a.ts': '' }, 'gone.default')).toBe('a.ts');
  });
});
