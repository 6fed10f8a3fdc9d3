/** What programs write for a terminal, ECMA-48: its colours are ours here, the rest of it is left out. */
import type { Ink, Piece, Range } from '../../ui/code/code-tokens.ts';

export interface TerminalText {
  /** Without what only a terminal reads. */
  readonly text: string;
  /** The text in its colours; undefined where it has none. */
  readonly pieces: readonly Piece[] | undefined;
  /** Where a place of the message is in the text. */
  readonly placeOf: (at: number) => number;
}

const ESC = '\u001b';
const BELL = '\u0007';
/** What begins a sequence, or a text for the terminal itself, and what ends that: each is one character or two. */
const CSI = '\u009b';
const STRINGS = '\u0090\u0098\u009d\u009e\u009f';
const ST = '\u009c';
/** Sequences with parameters, among them those that colour; texts; other sequences; lone characters. */
const FOR_TERMINALS = new RegExp(
  [
    `(?:${ESC}\\[|${CSI})(?<parameters>[0-?]*)[ -/]*(?<final>[@-~])`,
    `(?:${ESC}[\\]PX^_]|[${STRINGS}])[^${BELL}${ESC}${ST}${STRINGS}]*(?:${BELL}|${ST}|${ESC}\\\\|$)`,
    `${ESC}[ -/]*[0-~]?`,
    '(?![\\t\\n\\r])\\p{Cc}',
  ].join('|'),
  'gu',
);

/** By the last digit of their numbers: red, green, yellow, blue, magenta, cyan. Black and white are the text color. */
const INKS: readonly (Ink | undefined)[] = [undefined, 'bad', 'ok', 'warn', 'fn', 'kw', 'key', undefined];

export function readTerminal(message: string): TerminalText {
  const cuts: Range[] = [];
  const pieces: Piece[] = [];
  let at = 0;
  let ink: Ink | undefined;
  const put = (to: number) => {
    if (to > at) pieces.push({ text: message.slice(at, to), ink });
  };
  for (const { 0: found, index, groups } of message.matchAll(FOR_TERMINALS)) {
    put(index);
    at = index + found.length;
    cuts.push([index, at]);
    if (groups?.['final'] === 'm') ink = inkAfter(groups['parameters'] ?? '', ink);
  }
  if (cuts.length === 0) return { text: message, pieces: undefined, placeOf: (place) => place };
  put(message.length);
  return {
    text: pieces.map(({ text }) => text).join(''),
    pieces: pieces.some((piece) => piece.ink) ? pieces : undefined,
    placeOf: (place) => cuts.reduce((left, [from, to]) => left - Math.max(0, Math.min(place, to) - from), place),
  };
}

/** Only its text, for copies. */
export const plainText = (message: string): string => readTerminal(message).text;

/** What is written in after "select graphic rendition": the last of its numbers that says anything of the ink. */
function inkAfter(parameters: string, before: Ink | undefined): Ink | undefined {
  let ink = before;
  const numbers = parameters.split(/[;:]/).map(Number);
  for (let at = 0; at < numbers.length; at += 1) {
    const number = numbers[at] ?? 0;
    if (number === 0 || number === 39) ink = undefined;
    else if (number === 90) ink = 'com';
    else if ((number >= 30 && number <= 37) || (number > 90 && number <= 97)) ink = INKS[number % 10];
    else if (number === 38 || number === 48) {
      // one of 256, the first eight of which are known here, or red, green and blue
      const isOne = numbers[at + 1] === 5;
      if (number === 38) ink = isOne ? INKS[numbers[at + 2] ?? 0] : undefined;
      at += isOne ? 2 : 4;
    }
  }
  return ink;
}

/** The pieces between two places of the text. */
export function cutPieces(pieces: readonly Piece[], from: number, to: number): readonly Piece[] {
  const cut: Piece[] = [];
  let at = 0;
  for (const { text, ink } of pieces) {
    const part = text.slice(Math.max(0, from - at), Math.max(0, to - at));
    if (part) cut.push({ text: part, ink });
    at += text.length;
  }
  return cut;
}
