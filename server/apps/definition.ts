/**
 * Apps.
 *
 * An app is one declarative file: its address, how a connection to it is made, and which events it sends. Nothing in it
 * is code, so the connect window's form, the console's lists and the gateway's requests all come from the same words. An
 * account adds apps of its own with `POST /apps`; those have the same form and stand in the table `apps`.
 *
 * `{name}` in a base address or a placement's template stands for the field of that name, as the person typed it.
 * `compile.ts` reads a definition once, refuses what can't work, and answers what the gateway needs for a connection.
 * A source that is no app to call (schedule) has no base address and no methods.
 */
import type { z } from 'zod';
import type { AppField, EventType } from '../../contract/apps.ts';

export type FieldDefinition = z.output<typeof AppField>;
type EventTypeDefinition = z.output<typeof EventType>;

/** One place of a request that a credential is put in. What the caller sent under that name gives way to it. */
export type Placement = { in: 'header' | 'query'; name: string; template: string };

/** What a person types is sent with each request, as it is. */
export type ApiKeyMethod = {
  method: 'API_KEY';
  fields: FieldDefinition[];
  put: Placement[];
};
/** By `method`; each further one adds its own shape here. */
export type MethodDefinition = ApiKeyMethod;

export type AppDefinition = {
  app: string;
  name: string;
  /** The root of the native API. Null for what only sends events. */
  base_url: string | null;
  docs_url: string | null;
  /** The name of a picture the console has; it draws a letter tile without one. */
  icon: string | null;
  /** Headers the API insists on, sent only when the caller sends none of that name. */
  default_headers: Record<string, string>;
  methods: MethodDefinition[];
  event_types: EventTypeDefinition[];
};

/** A definition with what most apps don't have left out. */
export function defineApp(
  given: Pick<AppDefinition, 'app' | 'name' | 'base_url' | 'docs_url'> & Partial<AppDefinition>,
): AppDefinition {
  return { icon: null, default_headers: {}, methods: [], event_types: [], ...given };
}

/** A secret field; the connect window hides it, and no read ever shows it. */
export function secret(
  name: string,
  label: string,
  help: string | null,
  pattern: string | null = null,
): FieldDefinition {
  return { name, label, type: 'password', secret: true, required: true, pattern, help };
}

/** A field that may be seen, such as the name of a shop. */
export function text(name: string, label: string, help: string | null, pattern: string | null = null): FieldDefinition {
  return { name, label, type: 'text', secret: false, required: true, pattern, help };
}

/** One key, sent as `Authorization: Bearer …`. */
export function bearerKey(field: FieldDefinition): ApiKeyMethod {
  return headerKey(field, 'Authorization', `Bearer {${field.name}}`);
}

/** One key, sent in a header of its own. */
export function headerKey(field: FieldDefinition, name: string, template = `{${field.name}}`): ApiKeyMethod {
  return { method: 'API_KEY', fields: [field], put: [{ in: 'header', name, template }] };
}
