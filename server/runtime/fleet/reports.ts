/**
 * Splits a process's stdout into reports and the function's text. A function can forge reports, so only valid ones
 * count.
 */
import type { Readable } from 'node:stream';
import { LOG_LEVELS, type LogLevel } from '../../../contract/states.ts';
import { isToken, isValue } from '../../platform/http1/field.ts';
import { HEADERS_MAX_CHARS, MARK, type Report, SMALL_BODY, type Thrown } from './frames.ts';

/** Above the longest report: a line of LOG_MAX_CHARS, each written as \u0000. */
const TEXT_MAX_CHARS = 2 * 1024 * 1024;
/** What reading a line costs at least, in characters. */
const LINE_CHARS = 64;

export function readReports(
  stdout: Readable,
  /** Both return whether the output was of use. */
  onReport: (report: Report) => boolean,
  onText: (text: string) => boolean,
  onUseless: (chars: number) => void,
): void {
  let pending = '';
  const line = (text: string) => {
    const at = text.lastIndexOf(MARK);
    const report = at < 0 ? undefined : parsed(text.slice(at + 1));
    const own = report ? text.slice(0, at) : text;
    const isTextUsed = own !== '' && onText(own);
    const isReportUsed = report !== undefined && onReport(report);
    if (!isTextUsed && !isReportUsed) onUseless(text.length + LINE_CHARS);
  };
  stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (pending + chunk).split('\n');
    pending = lines.pop() ?? '';
    for (const each of lines) line(each);
    // A report ends with its line and is never this long; anything longer is text without line breaks.
    if (pending.length > TEXT_MAX_CHARS) {
      if (!onText(pending)) onUseless(pending.length);
      pending = '';
    }
  });
  stdout.on('end', () => pending && line(pending));
}

function parsed(text: string): Report | undefined {
  try {
    return checked(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function checked(value: unknown): Report | undefined {
  if (!Array.isArray(value)) return undefined;
  const [kind, runId, third, level, message, last] = value as unknown[];
  if (kind === 'ready') return [kind];
  if (kind === 'pong') return typeof third === 'number' ? [kind, runId === true, third] : undefined;
  if (typeof runId !== 'string') return undefined;
  if (kind === 'end' || kind === 'loaded' || kind === 'stream') return [kind, runId];
  if (kind === 'answer' && isStatus(third) && areHeaders(level) && isSmall(message))
    return [kind, runId, third, level, message, last === true];
  if (kind === 'throw' && isThrown(third)) return [kind, runId, third];
  if (kind === 'log' && typeof third === 'number' && isLevel(level) && typeof message === 'string')
    return [kind, runId, third, level, message];
  return undefined;
}

const isStatus = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 200 && value <= 599;

const isSmall = (value: unknown): value is string => typeof value === 'string' && value.length <= SMALL_BODY;

/** Alternating names and values without line breaks. */
function areHeaders(value: unknown): value is string[] {
  if (!Array.isArray(value) || value.length % 2 !== 0) return false;
  let chars = 0;
  for (let at = 0; at < value.length; at += 2) {
    const name: unknown = value[at];
    const text: unknown = value[at + 1];
    if (typeof name !== 'string' || typeof text !== 'string' || !isToken(name) || !isValue(text)) return false;
    chars += name.length + text.length;
  }
  return chars <= HEADERS_MAX_CHARS;
}

const isLevel = (value: unknown): value is LogLevel => LOG_LEVELS.some((level) => level === value);

const isThrown = (value: unknown): value is Thrown =>
  typeof value === 'object' &&
  value !== null &&
  typeof Reflect.get(value, 'name') === 'string' &&
  typeof Reflect.get(value, 'message') === 'string' &&
  (Reflect.get(value, 'stack') === null || typeof Reflect.get(value, 'stack') === 'string');
