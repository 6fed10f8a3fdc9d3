import { LOG_LEVELS, type LogLevel } from '../../contract/states.ts';

/** Words of a log message that lead somewhere: places in the function's own code, `src/erp.ts:57:11` or `File "erp.py", line 57`. */
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

/** What a message says that is an object or array in JSON, and so can be opened; undefined of any other. */
export function readJsonLine(message: string): JsonLine | undefined {
  if (!/^\s*[[{]/.test(message)) return undefined;
  try {
    return { level: levelIn(JSON.parse(message)) };
  } catch {
    return undefined;
  }
}

interface JsonLine {
  /** Its own, where it names one that is known. */
  readonly level: LogLevel | undefined;
}

export const isJsonLine = (message: string): boolean => readJsonLine(message) !== undefined;

/**
 * The level a line is shown with. Loggers write all they have through console.log, as JSON that says how grave it is:
 * that is believed. What was written through another method keeps that one's level.
 */
export const shownLevel = (level: LogLevel, json: JsonLine | undefined): LogLevel =>
  level === 'info' ? (json?.level ?? level) : level;

/** Names that loggers have for levels, by ours. */
const NAMES: Record<LogLevel, RegExp> = {
  debug: /^(trace|debug|verbose|silly)$/i,
  info: /^(info|information|notice|log)$/i,
  warn: /^warn(ing)?$/i,
  error: /^(err(or)?|fatal|crit(ical)?|alert|emerg(ency)?|panic)$/i,
};

function levelIn(value: unknown): LogLevel | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { level, severity } = value as { level?: unknown; severity?: unknown };
  const said = level ?? severity;
  if (typeof said === 'string') return LOG_LEVELS.find((name) => NAMES[name].test(said));
  // numbers as pino and bunyan have them, from 10 to 60
  if (typeof said !== 'number' || said < 10 || said > 60) return undefined;
  return said < 30 ? 'debug' : said < 40 ? 'info' : said < 50 ? 'warn' : 'error';
}
