import { describe, expect, test } from 'vitest';
import { readJsonLine, shownLevel } from '../../../contract/log-level.ts';
import { isJsonLine, piecesOf } from './log-text.ts';

describe('a log message', () => {
  test('stack frames link to their lines', () => {
    const message = 'Error: boom\n    at Object.fetch (src/index.ts:5:60)\n    at async x (lib/a-b.mjs:12:1)';
    const pieces = piecesOf(message);
    expect(pieces.map(({ text }) => text).join('')).toBe(message);
    expect(pieces.flatMap(({ place }) => place ?? [])).toEqual([
      { file: 'src/index.ts', line: 5 },
      { file: 'lib/a-b.mjs', line: 12 },
    ]);
  });

  test('Python frames link to their lines, frames of the standard library do not', () => {
    const message =
      'Traceback (most recent call last):\n  File "src/my app.py", line 3, in handler\n    x = json.loads("{")\n' +
      '  File "/lib/python312.zip/json/__init__.py", line 346, in loads\nValueError: File "a.py", line 1';
    const pieces = piecesOf(message);
    expect(pieces.map(({ text }) => text).join('')).toBe(message);
    expect(pieces.filter(({ place }) => place)).toEqual([
      { text: 'File "src/my app.py", line 3', place: { file: 'src/my app.py', line: 3 } },
    ]);
  });

  test('URLs and times are not code references', () => {
    expect(piecesOf('GET https://x.dev/a.js:1:2 at 10:20:30').some(({ place }) => place)).toBe(false);
    expect(piecesOf('ext:core/01_core.js:1:2').some(({ place }) => place)).toBe(false);
  });

  test('JSON objects can be expanded, similar text cannot', () => {
    expect(isJsonLine('{"a":1}')).toBe(true);
    expect(isJsonLine('[1, 2]')).toBe(true);
    expect(isJsonLine('[info] {"a":1}')).toBe(false);
    expect(isJsonLine('12')).toBe(false);
  });

  test('the level in a JSON line applies', () => {
    const shown = (message: string, level: 'info' | 'warn' = 'info') => shownLevel(level, readJsonLine(message));
    expect(shown('{"level":"error","msg":"refused"}')).toBe('error');
    expect(shown('{"severity":"WARNING","msg":"slow"}')).toBe('warn');
    expect(shown('{"level":20}')).toBe('debug');
    expect(shown('{"level":60}')).toBe('error');
    expect(shown('{"level":"error"', 'info')).toBe('info');
    expect(shown('{"level":"error"}', 'warn')).toBe('warn');
    for (const message of ['{"level":3}', '{"level":"high"}', '{"level":null}', '["error"]', '{"a":{"level":"error"}}'])
      expect(shown(message), message).toBe('info');
  });
});
