import type { Match, Place } from '../../apps/source.ts';
import type { Headers } from './signature.ts';

/** What an event's name, its id and a trigger's parameters are read from. */
export type Read = { headers: Headers; body: unknown };

/** The text, number or truth value at a dotted path; undefined where there is none. */
export function textAt(value: unknown, path: string): string | undefined {
  let at = value;
  for (const name of path.split('.')) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as Record<string, unknown>)[name];
  }
  return ['string', 'number', 'boolean'].includes(typeof at) ? String(at) : undefined;
}

function textIn(read: Read, place: Place): string | undefined {
  if ('body' in place) return textAt(read.body, place.body);
  const value = read.headers[place.header.toLowerCase()];
  return Array.isArray(value) ? value.join(', ') : value;
}

/** The event's name in dotted form; empty where the request has none. */
export function nameIn(read: Read, places: readonly Place[]): string {
  const parts = places.map((place) => textIn(read, place)).filter((part) => part !== undefined && part !== '');
  return parts.join('.').replaceAll('/', '.');
}

/** The source's own id; undefined where the request has none. */
export function idIn(read: Read, places: readonly Place[]): string | undefined {
  const parts = places.map((place) => textIn(read, place));
  return parts.some((part) => part !== undefined) ? parts.map((part) => part ?? '').join('\n') : undefined;
}

/** Whether an event of this name is of the type: the type itself, what lies below it, or anything for `*`. */
export function isOfType(name: string, event_type: string): boolean {
  return event_type === '*' || name === event_type || name.startsWith(`${event_type}.`);
}

/** Whether the request fits every parameter that says which events are wanted. A list takes any of its values. */
export function fitsParameters(
  read: Read,
  match: Readonly<Record<string, Match>>,
  parameters: Readonly<Record<string, unknown>>,
): boolean {
  return Object.entries(match).every(([name, { at, prefix = '', caseless }]) => {
    const wanted = parameters[name];
    if (wanted === undefined) return true;
    const plain = (text: string | undefined) => (caseless ? text?.toLowerCase() : text);
    const text = plain(textIn(read, at));
    return [wanted].flat().some((each) => text === plain(prefix + String(each)));
  });
}
