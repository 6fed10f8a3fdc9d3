/** How grave a line of a log is: the same for the service, which leaves lines out by it, and for the console. */
import { LOG_LEVELS, type LogLevel } from './states.ts';

/** What a message says that is an object or array in JSON; undefined of any other. */
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

/**
 * The level a line is shown with. Loggers write all they have through console.log, as JSON that says how grave it is:
 * that is believed. What was written through another method keeps that one's level.
 */
export const shownLevel = (level: LogLevel, json: JsonLine | undefined): LogLevel =>
  level === 'info' ? (json?.level ?? level) : level;

/** Whether a line is at least so grave. */
export function isAsGrave(line: { readonly level: LogLevel; readonly message: string }, least: LogLevel): boolean {
  const { level, message } = line;
  const shown = level === 'info' ? shownLevel(level, readJsonLine(message)) : level;
  return LOG_LEVELS.indexOf(shown) >= LOG_LEVELS.indexOf(least);
}

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
