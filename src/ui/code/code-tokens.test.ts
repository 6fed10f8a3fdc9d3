import { describe, expect, it } from 'vitest';
import { codeLines, languageOf, markPieces } from './code-tokens.ts';

const text = (lines: ReturnType<typeof codeLines>) =>
  lines.map(({ pieces }) => pieces.map((piece) => piece.text).join('')).join('\n');

describe('codeLines', () => {
  it.each([
    ['typescript', `const a: string = \`x \${1 + 2}\n y\`; // end\n/* two\nlines */\nexport {}`],
    ['json', '{"a": [1, true, null],\n "b": "c"}'],
    ['python', 'def f(x):\n    """two\n    lines"""\n    return x + 1'],
    ['bash', 'curl -H "a: b" $URL\n# done'],
    ['text', 'plain\n\ntext\n'],
  ] as const)('loses nothing of %s', (language, code) => {
    expect(text(codeLines(code, language))).toBe(code);
  });

  it('gives keys, strings and numbers of JSON different colours', () => {
    const [line] = codeLines('{"due": "x", "try": 2}', 'json');
    const inks = Object.fromEntries(line?.pieces.map((piece) => [piece.text, piece.ink]) ?? []);
    expect(inks).toMatchObject({ '"due"': 'key', '"x"': 'str', '2': 'num' });
  });

  it('merges pieces of equal colour', () => {
    const [line] = codeLines('a.b(c[0], d)', 'typescript');
    expect(line?.pieces.map((piece) => piece.text)).toEqual(['a.', 'b', '(c[', '0', '], d)']);
  });

  it('continues the colour of a token over several lines', () => {
    const lines = codeLines('/* one\ntwo */ 3', 'typescript');
    expect(lines[1]?.pieces[0]).toEqual({ text: 'two */', ink: 'com' });
  });
});

describe('markPieces', () => {
  it('splits pieces at the edges of marks, across colours', () => {
    const pieces = [
      { text: 'const ', ink: 'kw' as const },
      { text: 'url', ink: undefined },
    ];
    expect(markPieces(pieces, [[4, 7]]).map(({ text, marked }) => [text, marked])).toEqual([
      ['cons', false],
      ['t ', true],
      ['u', true],
      ['rl', false],
    ]);
  });

  it('marks nothing without matches', () => {
    expect(markPieces([{ text: 'x', ink: undefined }], [])).toEqual([
      { text: 'x', ink: undefined, marked: false, at: 0 },
    ]);
  });
});

it('knows a language by the file’s name', () => {
  expect(languageOf('src/index.ts')).toBe('typescript');
  expect(languageOf('main.py')).toBe('python');
  expect(languageOf('Makefile')).toBe('text');
});
