/** Converts terminal output (ECMA-48): colours become those of the console, other control sequences are removed. */
import type { Ink, Piece, Range } from '../../ui/code/code-tokens.ts';

export interface TerminalText {
  /** The text without control sequences. */
  readonly text: string;
  /** The coloured pieces; undefined if the text has no colours. */
  readonly pieces: readonly Piece[] | undefined;
  /** Maps an offset in the message to the offset in the text. */
  readonly placeOf: (at: number) => number;
}

const ESC = '\u001b';
const BELL = '\u0007';
/** The introducers of control sequences and control strings, and the string terminator: one or two characters each. */
const CSI = '\u009b';
const STRINGS = '\u0090\u0098\u009d\u009e\u009f';
const ST = '\u009c';
/** Control sequences with parameters (including colours), control strings, escape sequences, control characters. */
const FOR_TERMINALS = new RegExp(
  [
    `(?:${ESC}\\[|${CSI})(?<parameters>[0-?]*)[ -/]*(?<final>[@-~])`,
    `(?:${ESC}[\\]PX^_]|[${STRINGS}])[^${BELL}${ESC}${ST}${STRINGS}]*(?:${BELL}|${ST}|${ESC}\\\\|$)`,
    `${ESC}[ -/]*[0-~]?`,
    '(?![\\t\\n\\r])\\p{Cc}',
  ].join('|'),
  'gu',
);

/** By the last digit of the parameter: red, green, yellow, blue, magenta, cyan. Black and white use the text colour. */
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

/** The text without colours, for copying. */
export const plainText = (message: string): string => readTerminal(message).text;

/** The colour after a "select graphic rendition" sequence: its last parameter that sets a colour. */
function inkAfter(parameters: string, before: Ink | undefined): Ink | undefined {
  let ink = before;
  const numbers = parameters.split(/[;:]/).map(Number);
  for (let at = 0; at < numbers.length; at += 1) {
    const number = numbers[at] ?? 0;
    if (number === 0 || number === 39) ink = undefined;
    else if (number === 90) ink = 'com';
    else if ((number >= 30 && number <= 37) || (number > 90 && number <= 97)) ink = INKS[number % 10];
    else if (number === 38 || number === 48) {
      // an indexed colour, of which the first eight are supported, or an RGB colour
      const isOne = numbers[at + 1] === 5;
      if (number === 38) ink = isOne ? INKS[numbers[at + 2] ?? 0] : undefined;
      at += isOne ? 2 : 4;
    }
  }
  return ink;
}

/** The pieces between two offsets of the text. */
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
