/** The level of a log line: the service filters by it, the console displays it. */
import { LOG_LEVELS, type LogLevel } from './states.ts';

/** Reads the level of a message that is a JSON object or array; undefined for other messages. */
export function readJsonLine(message: string): JsonLine | undefined {
  if (!/^\s*[[{]/.test(message)) return undefined;
  try {
    return { level: levelIn(JSON.parse(message)) };
  } catch {
    return undefined;
  }
}

interface JsonLine {
  /** The level that the line names, if it is a known one. */
  readonly level: LogLevel | undefined;
}

/**
 * The level of a line. Loggers write JSON with a level of their choice through console.log: that level is used. Lines
 * of other console methods keep the level of the method.
 */
export const shownLevel = (level: LogLevel, json: JsonLine | undefined): LogLevel =>
  level === 'info' ? (json?.level ?? level) : level;

/** Whether a line has at least this level. */
export function isAtLeastLevel(line: { readonly level: LogLevel; readonly message: string }, least: LogLevel): boolean {
  const { level, message } = line;
  const shown = level === 'info' ? shownLevel(level, readJsonLine(message)) : level;
  return LOG_LEVELS.indexOf(shown) >= LOG_LEVELS.indexOf(least);
}

/** Level names of common loggers, by our level. */
const NAMES: Record<LogLevel, RegExp> = {
  debug: /^(trace|debug|verbose|silly)$/i,
  info: /^(info|information|notice|log)$/i,
  warn: /^warn(ing)?$/i,
  error: /^(err(or)?|fatal|crit(ical)?|alert|emerg(ency)?|panic)$/i,
};

function levelIn(value: unknown): LogLevel | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { level, severity } = value as { level?: unknown; severity?: unknown };
  const named = level ?? severity;
  if (typeof named === 'string') return LOG_LEVELS.find((name) => NAMES[name].test(named));
  // Numeric levels of pino and bunyan, 10 to 60.
  if (typeof named !== 'number' || named < 10 || named > 60) return undefined;
  return named < 30 ? 'debug' : named < 40 ? 'info' : named < 50 ? 'warn' : 'error';
}
