import { readJsonLine } from '../../../contract/log-level.ts';

/** Parts of a log message, with links to code: `src/erp.ts:57:11` or `File "erp.py", line 57`. */
export type LogPiece = { readonly text: string; readonly place?: { readonly file: string; readonly line: number } };

const PLACE =
  /(?<![\w./:-])((?:[\w@.-]+\/)*[\w@.-]+\.[cm]?[jt]sx?):(\d{1,7}):\d{1,7}|(?<=^\s*)File "((?:[^"/\n]+\/)*[^"/\n]+\.py)", line (\d{1,7})/gm;

export function piecesOf(message: string): readonly LogPiece[] {
  const pieces: LogPiece[] = [];
  let at = 0;
  for (const match of message.matchAll(PLACE)) {
    const [text] = match;
    const [file = '', line = '1'] = match.slice(1).filter((part) => part !== undefined);
    if (match.index > at) pieces.push({ text: message.slice(at, match.index) });
    pieces.push({ text, place: { file, line: Number(line) } });
    at = match.index + text.length;
  }
  if (at < message.length) pieces.push({ text: message.slice(at) });
  return pieces;
}

/** Whether a message is JSON that can be expanded. */
export const isJsonLine = (message: string): boolean => readJsonLine(message) !== undefined;
