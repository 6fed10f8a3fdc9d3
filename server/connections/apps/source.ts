/**
 * How events of a source come in, as data. A pushing source says where in its requests the event's name, its own id of
 * the event and the values are that a trigger's parameters are compared with; how it makes sure of our address; and
 * how its API registers a hook. How it signs is defined in `webhook`. server/triggers/ingress/ does it.
 */
import type { z } from 'zod';
import type { EventType } from '../../../contract/apps.ts';
import type { SECRET_KINDS } from '../../../contract/states.ts';

/** Where a value is in a request: a header, or a dotted path in the JSON of the body. */
export type Place = { header: string } | { body: string };

/** Several where one and the same value may appear: the first that is present counts. */
export type Places = Place | Place[];

/** A parameter fits where one of the places holds it, between `prefix` and `suffix`; `caseless`: whatever the case. */
export type Match = { at: Places; prefix?: string; suffix?: string; caseless?: true };

/** How the source makes sure that the address is ours. */
export type Handshake =
  /** A body in which `when.path` is `when.equals` is answered with the text at `reply`. */
  | { kind: 'challenge'; when: { path: string; equals: string }; reply: string }
  /** The same, answered in JSON with that text, and beside it its HMAC in hex under the secret. */
  | { kind: 'proof'; when: { path: string; equals: string }; reply: string; names: [text: string, proof: string] }
  /** A GET with this query parameter is answered with its text. */
  | { kind: 'query'; name: string }
  /** The text at `path` of a body is the secret that signs from then on. */
  | { kind: 'secret'; path: string }
  /** A request with this header does so too, and wants it back. */
  | { kind: 'secret-header'; header: string };

export type PushSource = {
  transport: 'push';
  needs_connection: boolean;
  /** `ours` is made here and given to the app, `theirs` is shown by the app and given to us. */
  secret: (typeof SECRET_KINDS)[number];
  /** What says how requests are checked: the app's `webhook`, or the trigger's parameters. */
  checked: 'webhook' | 'parameters';
  /** The event's name, in parts that are joined by dots; what is missing is left out. Null: there is only one. */
  event: Places[] | null;
  /** The source's own id of the event, in parts. Where one of them is missing it is never taken for a repetition. */
  id: Places[] | null;
  /** By the name of a parameter: what in a request has to fit it. */
  match: Record<string, Match>;
  /** By the name of a parameter that may be written `first/name`: the parameter that `first` is. */
  joined?: Record<string, string>;
  /** Where a body that is a JSON array, or the member of this name, holds one event in each item. */
  items: boolean | string;
  /** The field that holds the JSON where the body is a form. */
  form: string | null;
  handshake: Handshake | null;
  /** What a person does in the app, in order. `{url}` and `{secret}` stand for the trigger's. */
  steps: string[];
  /** Only sources of the catalogue have it. */
  docs?: SourceDocs;
};

/** Where a fact was read: a URL, or a path in a public repository on GitHub as `owner/repo path`. */
export type Reference = `https://${string}` | `http://${string}` | `${string}/${string} ${string}`;

/** What docs/sources.md says beyond the definition: remarks on signature, handshake, id and samples. */
export type SourceDocs = {
  verified?: string;
  handshake?: string;
  id?: string;
  samples?: string;
  facts: [Reference, ...Reference[]];
};

/** A source that only answers is asked now and then (server/triggers/polling/). */
type PollSource = { transport: 'poll'; needs_connection: boolean };

export type SourceDefinition = { transport: 'clock' } | PollSource | PushSource;

type PushGiven = Pick<PushSource, 'secret' | 'steps'> & Partial<PushSource>;

/** A source that pushes, with what most don't have left out. */
export function push(given: PushGiven): PushSource {
  return { ...PUSH, ...given };
}

const PUSH = {
  transport: 'push',
  needs_connection: false,
  checked: 'webhook',
  event: null,
  id: null,
  match: {},
  items: false,
  form: null,
  handshake: null,
} as const satisfies Partial<PushSource>;

/** The parameters that may be written as one, each as [name, the part before the slash]. */
export const joinedIn = (source: SourceDefinition | null): [string, string][] =>
  Object.entries((source?.transport === 'push' ? source.joined : undefined) ?? {});

/** A trigger's parameters with those apart that were written as one. */
export function apart(source: SourceDefinition | null, parameters: Record<string, unknown>): Record<string, unknown> {
  const parts = { ...parameters };
  for (const [name, first] of joinedIn(source)) {
    const [, before, after] = /^([^/]+)\/(.+)$/s.exec(String(parts[name] ?? '')) ?? [];
    if (before !== undefined) Object.assign(parts, { [first]: before, [name]: after });
  }
  return parts;
}

type JsonSchema = Record<string, unknown>;
export type EventTypeDefinition = z.output<typeof EventType>;

/** The JSON Schema of parameters: these and no others. */
export function parameters(properties: Record<string, JsonSchema>, required: string[] = []): JsonSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties,
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
}

/** The event types of a source that take the same parameters, each with its description and a sample. */
export function eventTypes(
  schema: JsonSchema,
  types: Record<string, [description: string, sample: unknown]>,
): EventTypeDefinition[] {
  return Object.entries(types).map(([event_type, [description, sample]]) => ({
    event_type,
    description,
    parameters: schema,
    sample,
  }));
}
