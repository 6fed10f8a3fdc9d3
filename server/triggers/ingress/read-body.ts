import { INGRESS_ITEMS_MAX, JSON_MAX_DEPTH } from '../../../contract/limits.ts';
import { isJsonObject, parseExactly } from '../../../contract/text/exact-json.ts';
import type { PushSource } from '../../connections/apps/source.ts';
import { isDeeperThan } from '../../lib/json-depth.ts';
import { itemsOf, memberOf } from '../../lib/json-text.ts';
import type { Incoming } from './incoming.ts';
import type { Problem } from './signature.ts';

/** A body that is rejected. */
export class Unreadable extends Error {
  override name = 'Unreadable';
  readonly problem: Problem;

  constructor(cause: Problem['cause'], message: string) {
    super(message);
    this.problem = { cause, message };
  }
}

/** One event: its original JSON text, and the parsed value. */
export type Item = { json: string; body: unknown };

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** The whole value of a body, and the events in it. */
export type Bodies = { whole: unknown; items: Item[] };

/** Parses the JSON of a request and the events in it. Throws Unreadable. */
export function readBody(source: PushSource, request: Pick<Incoming, 'headers' | 'body'>): Bodies {
  return readJson(source, textOf(source, request));
}

/** The same for the text of a body. */
export function readJson(source: PushSource, text: string): Bodies {
  if (isDeeperThan(text, JSON_MAX_DEPTH))
    throw new Unreadable('TOO_DEEP', `The JSON is nested deeper than ${JSON_MAX_DEPTH}.`);
  let whole: unknown;
  try {
    // Two long numeric IDs must not be rounded to one: the second event would count as a duplicate.
    whole = parseExactly(text);
  } catch (error) {
    const why = error instanceof SyntaxError ? error.message : 'it does not parse';
    throw new Unreadable('NOT_JSON', text === '' ? 'The request has no body.' : `The body is not JSON: ${why}`);
  }
  const list = listIn(source, text, whole);
  if (!list) return { whole, items: [{ json: text, body: whole }] };
  if (list.items.length > INGRESS_ITEMS_MAX)
    throw new Unreadable(
      'TOO_LARGE',
      `The array has ${list.items.length} events; at most ${INGRESS_ITEMS_MAX} are allowed.`,
    );
  return { whole, items: itemsOf(list.text).map((json, index) => ({ json, body: list.items[index] })) };
}

/** The array with one event per item, as text and parsed. */
function listIn({ items }: PushSource, text: string, whole: unknown): { text: string; items: unknown[] } | undefined {
  if (Array.isArray(whole)) return items === true ? { text, items: whole } : undefined;
  if (typeof items !== 'string' || typeof whole !== 'object' || whole === null) return undefined;
  const member = memberOf(text, items);
  const list: unknown = member === undefined ? undefined : parseExactly(member);
  return member !== undefined && Array.isArray(list) ? { text: member, items: list } : undefined;
}

/** The payload of an item: an object unchanged, any other value under `value`. */
export function payloadOf({ json, body }: Item): string {
  return isJsonObject(body) ? json : `{"value":${json}}`;
}

export const tooLarge = (maxBytes: number) => new Unreadable('TOO_LARGE', `The body is larger than ${maxBytes} bytes.`);

export const isForm = (type: string | string[] | undefined) =>
  /^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(String(type ?? ''));

function textOf({ form }: PushSource, { headers, body }: Pick<Incoming, 'headers' | 'body'>): string {
  const text = decoded(() => UTF8.decode(body));
  if (form === null || !isForm(headers['content-type'])) return text;
  const pair = text.split('&').find((each) => each.startsWith(`${form}=`));
  if (pair === undefined) throw new Unreadable('NOT_JSON', `The form has no field ${form}.`);
  return decoded(() => decodeURIComponent(pair.slice(form.length + 1).replaceAll('+', ' ')));
}

function decoded(decode: () => string): string {
  try {
    return decode();
  } catch {
    throw new Unreadable('NOT_UTF8', 'The body is not UTF-8.');
  }
}
