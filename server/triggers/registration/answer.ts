/** Reads an app's response to a registration request. */
import { JSON_MAX_DEPTH } from '../../../contract/limits.ts';
import type { AnswerPlace } from '../../connections/apps/hook-api.ts';
import { isDeeperThan } from '../../lib/json-depth.ts';

/** The JSON of a body; undefined if it is not JSON. */
export function readJson(body: Buffer): unknown {
  const text = body.toString();
  if (isDeeperThan(text, JSON_MAX_DEPTH)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The value at a dotted path; a number is an index of a list. An empty path is the value itself. */
export function valueAt(value: unknown, path: string): unknown {
  let at = value;
  for (const name of path === '' ? [] : path.split('.')) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as Record<string, unknown>)[name];
  }
  return at;
}

export function textAt(value: unknown, path: string): string | undefined {
  const found = valueAt(value, path);
  if (typeof found === 'number') return String(found);
  return typeof found === 'string' && found !== '' ? found : undefined;
}

const ID_MAX_CHARS = 500;

/** The ID of a webhook; undefined without a valid one. */
export function idAt(value: unknown, { at, tail }: AnswerPlace): string | undefined {
  const found = textAt(value, at);
  const id = tail ? found?.split('/').at(-1) : found;
  return id !== undefined && id.length > 0 && id.length <= ID_MAX_CHARS ? id : undefined;
}

const SAID_MAX_CHARS = 300;
const SAID_AT = [
  'message',
  'error.message',
  'error_description',
  'error',
  'title',
  'detail',
  'errors.0.message',
  'errors.0',
  'errors',
  'details.0.message',
];

/** The app's error message, shortened. */
export function saidIn(value: unknown, first: readonly string[] = []): string | undefined {
  const texts = [...first, ...SAID_AT].map((path) => textAt(value, path)).filter((text) => text !== undefined);
  const said = [...new Set(texts)]
    .slice(0, 2)
    .join(': ')
    .replace(/\p{C}+/gu, ' ')
    .trim();
  if (said === '') return undefined;
  return said.length > SAID_MAX_CHARS ? `${said.slice(0, SAID_MAX_CHARS)}…` : said;
}
