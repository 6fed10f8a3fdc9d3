/**
 * How webhooks are registered and removed through an app's own API: as data. server/triggers/registration/ does what
 * is said here, through the trigger's connection.
 *
 * Templates name values as `{name}`: `url` is the trigger's address, `secret` what its requests are to be signed with,
 * `events` is the list of what the app calls the trigger's event type, `event` the first of it, `id` the hook that is
 * removed; the rest are the trigger's parameters and what `before` took. In a path a value is one segment; `{+name}`
 * keeps its slashes. In a body a text that is nothing but a placeholder becomes the value itself, and a member called
 * `{events}` becomes one for each of them.
 */
import type { LongNumber } from '../../../contract/text/exact-json.ts';

export type HookValue = string | readonly string[];
export type HookValues = Readonly<Record<string, HookValue>>;
export type BodyTemplate =
  | string
  | number
  | LongNumber
  | boolean
  | readonly BodyTemplate[]
  | { readonly [name: string]: BodyTemplate };
export type HookRequest = {
  method: 'GET' | 'POST' | 'DELETE';
  /** Native, below the app's base address, with its query. */
  path: string;
  body: BodyTemplate | null;
  /** `application/x-www-form-urlencoded` instead of JSON. */
  form?: true;
};

/** A dotted path in an answer; `tail` takes what follows the last slash of the value. */
export type AnswerPlace = { at: string; tail?: true };

export type HookApi = {
  /** The parameters this takes: an app may have one for repositories and one for organizations. */
  needs: readonly string[];
  /**
   * What the app calls an event type: the type itself, its first part, or it `IN_CAPITALS`; or what stands for it in
   * `names`. Those that are in `without` can't be registered.
   */
  events: {
    names?: Readonly<Record<string, readonly string[]>>;
    otherwise: 'same' | 'first' | 'capitals';
    without?: readonly string[];
  };
  /** Asked first, for values that the other requests need. */
  before: { request: HookRequest; take: Readonly<Record<string, string>> } | null;
  add: HookRequest;
  id: AnswerPlace;
  /** `sent`: the app receives ours. `kept`: it signs with a constant secret. Else the place in the answer. */
  secret: 'sent' | 'kept' | { at: string };
  /** How to list the app's hooks, to find one of ours whose id was lost: `items` is a list in the answer. */
  list: { request: HookRequest; items: string; id: AnswerPlace; url: string };
  remove: HookRequest;
  /** Where an answer that is a 200 says that it was refused. */
  refusedAt: readonly string[];
  /** By status: why, and what to do about it. */
  refusals: Readonly<Record<number, string>>;
};

/** A trigger's event type, by its native name, and parameters. */
export type Wanted = { event_type: string; parameters: Readonly<Record<string, unknown>> };

/** The one that takes this event type and these parameters; undefined where none does. */
export const hookApiFor = (apis: readonly HookApi[], { event_type, parameters }: Wanted): HookApi | undefined =>
  apis.find(
    ({ needs, events }) =>
      needs.every((name) => isGiven(parameters[name])) && events.without?.includes(event_type) !== true,
  );

const isGiven = (value: unknown) => (typeof value === 'string' && value !== '') || typeof value === 'number';

/** What the app calls this event type. */
export function eventNames({ events }: HookApi, event_type: string): readonly string[] {
  const spelled = SPELLED[events.otherwise](event_type);
  return events.names?.[event_type] ?? events.names?.[spelled] ?? [spelled];
}

const SPELLED = {
  same: (event_type: string) => event_type,
  first: (event_type: string) => event_type.split('.', 1)[0] ?? event_type,
  capitals: (event_type: string) => event_type.toUpperCase().replace(/[^A-Z0-9]+/g, '_'),
};
