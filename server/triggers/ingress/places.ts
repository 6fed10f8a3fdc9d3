import { LongNumber } from '../../../contract/text/exact-json.ts';
import type { Match, Place, Places } from '../../connections/apps/source.ts';
import type { Headers } from './incoming.ts';

/** The request data that contains the event name, the event ID and the values for a trigger's parameters. */
export type Read = { headers: Headers; body: unknown };

/** The string, number or boolean at a dotted path, as a string; undefined for anything else. */
export function textAt(value: unknown, path: string): string | undefined {
  let at = value;
  for (const name of path.split('.')) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as Record<string, unknown>)[name];
  }
  return ['string', 'number', 'boolean'].includes(typeof at) || at instanceof LongNumber ? String(at) : undefined;
}

function textIn(read: Read, place: Place): string | undefined {
  if ('body' in place) return textAt(read.body, place.body);
  const value = read.headers[place.header.toLowerCase()];
  return Array.isArray(value) ? value.join(', ') : value;
}

/** The values at the places, in order; empty values count as missing. */
function textsIn(read: Read, places: Places): string[] {
  return [places].flat().flatMap((place) => textIn(read, place) || []);
}

/** The event name in dotted form; empty if the request has none. */
export function nameIn(read: Read, parts: readonly Places[]): string {
  return parts
    .flatMap((part) => textsIn(read, part)[0] ?? [])
    .join('.')
    .replace(/[/:]/g, '.');
}

/** The source's event ID; undefined if a part is missing, since different events must never count as duplicates. */
export function idIn(read: Read, parts: readonly Places[]): string | undefined {
  const texts = parts.flatMap((part) => textsIn(read, part)[0] ?? []);
  return texts.length === parts.length ? texts.join('\n') : undefined;
}

/** Whether an event of this name matches the type: the type itself, a subtype, or any event for `*`. */
export function isOfType(name: string, event_type: string): boolean {
  return event_type === '*' || name === event_type || name.startsWith(`${event_type}.`);
}

/** Whether the request matches every filter parameter. A list matches any of its values. */
export function fitsParameters(
  read: Read,
  match: Readonly<Record<string, Match>>,
  parameters: Readonly<Record<string, unknown>>,
): boolean {
  return Object.entries(match).every(([name, { at, prefix = '', suffix = '', caseless }]) => {
    const wanted = parameters[name];
    if (wanted === undefined) return true;
    const plain = (text: string) => (caseless ? text.toLowerCase() : text);
    const texts = new Set(textsIn(read, at).map(plain));
    return [wanted].flat().some((each) => texts.has(plain(prefix + String(each) + suffix)));
  });
}
