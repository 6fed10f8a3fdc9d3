/**
 * Declares how webhooks are registered and removed through an app's API. server/triggers/registration/ sends these
 * requests through the trigger's connection.
 *
 * Templates use values as `{name}`: `url` is the webhook URL, `secret` the signing secret, `events` the app's names of
 * the trigger's event type, `event` the first of them, `id` the webhook to remove. The others are the trigger's
 * parameters and the values read by `before`. In a path a value is one segment; `{+name}` keeps its slashes. In a body,
 * a string that consists of one placeholder becomes the value itself, and a member called `{events}` is repeated for
 * each event.
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
  /** Native path below the app's base URL, with the query. */
  path: string;
  body: BodyTemplate | null;
  /** `application/x-www-form-urlencoded` instead of JSON. */
  form?: true;
};

/** A dotted path in a response; with `tail`, only the part after the last slash of the value. */
export type AnswerPlace = { at: string; tail?: true };

export type HookApi = {
  /** Required parameters: an app may have one API for repositories and another for organizations. */
  needs: readonly string[];
  /**
   * The app's name of an event type: the type itself, its first part, the type `IN_CAPITALS`, or its entry in `names`.
   * Event types in `without` can't be registered.
   */
  events: {
    names?: Readonly<Record<string, readonly string[]>>;
    otherwise: 'same' | 'first' | 'capitals';
    without?: readonly string[];
  };
  /** Sent first, to read values that the other requests need. */
  before: { request: HookRequest; take: Readonly<Record<string, string>> } | null;
  add: HookRequest;
  id: AnswerPlace;
  /** `sent`: we send the secret. `kept`: the app signs with a constant secret. Otherwise: its path in the response. */
  secret: 'sent' | 'kept' | { at: string };
  /** How to list webhooks, to find one of ours whose ID was lost; `items` is the path of the list in the response. */
  list: { request: HookRequest; items: string; id: AnswerPlace; url: string };
  remove: HookRequest;
  /** The path of the error in a 200 response, for an API that reports errors that way. */
  refusedAt: readonly string[];
  /** By status: the reason, and how to fix it. */
  refusals: Readonly<Record<number, string>>;
};

/** A trigger's event type, by its native name, and parameters. */
export type Wanted = { event_type: string; parameters: Readonly<Record<string, unknown>> };

/** The API for this event type and these parameters; undefined if none applies. */
export const hookApiFor = (apis: readonly HookApi[], { event_type, parameters }: Wanted): HookApi | undefined =>
  apis.find(
    ({ needs, events }) =>
      needs.every((name) => isGiven(parameters[name])) && events.without?.includes(event_type) !== true,
  );

const isGiven = (value: unknown) => (typeof value === 'string' && value !== '') || typeof value === 'number';

/** The app's names of this event type. */
export function eventNames({ events }: HookApi, event_type: string): readonly string[] {
  const spelled = SPELLED[events.otherwise](event_type);
  return events.names?.[event_type] ?? events.names?.[spelled] ?? [spelled];
}

const SPELLED = {
  same: (event_type: string) => event_type,
  first: (event_type: string) => event_type.split('.', 1)[0] ?? event_type,
  capitals: (event_type: string) => event_type.toUpperCase().replace(/[^A-Z0-9]+/g, '_'),
};
