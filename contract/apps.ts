/** Apps that can be connected, and what their forms need. */
import { z } from 'zod';
import { Name, WebAddress } from './fields.ts';
import { AUTH_METHODS } from './states.ts';

export const AppId = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/, 'expected 1 to 64 lower-case letters, digits and hyphens');

/** One thing a person types to connect. `pattern` is a RE2 expression the value must match. */
export const AppField = z.object({
  name: z.string(),
  label: z.string(),
  type: z.enum(['text', 'password', 'url', 'multiline']),
  secret: z.boolean(),
  required: z.boolean(),
  pattern: z.string().nullable(),
  help: z.string().nullable(),
});
export const AppMethod = z.object({
  method: z.enum(AUTH_METHODS),
  fields: z.array(AppField),
  scopes: z.array(z.string()),
});
export const EventType = z.object({
  event_type: z.string(),
  description: z.string(),
  parameters: z.record(z.string(), z.unknown()).meta({ description: 'JSON Schema of the parameters of a trigger' }),
  sample: z.unknown(),
});
export const App = z.object({
  app: z.string(),
  name: z.string(),
  base_url: z.string().nullable(),
  icon: z.string().nullable(),
  docs_url: z.string().nullable(),
  custom: z.boolean(),
  methods: z.array(AppMethod),
  event_types: z.array(EventType),
});

/** Where the key goes: `template` must hold `{api_key}`. */
export const KeyPlace = z.strictObject({
  in: z.enum(['header', 'query']),
  name: z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/, 'expected a header or query parameter name'),
  template: z
    .string()
    .max(500)
    .regex(/^[\x20-\x7e]*\{api_key\}[\x20-\x7e]*$/, 'expected printable characters with {api_key} in them')
    .default('{api_key}'),
});
export const AppCreate = z.strictObject({
  app: AppId,
  name: Name,
  base_url: WebAddress,
  docs_url: WebAddress.nullable().optional(),
  methods: z
    .array(z.strictObject({ method: z.literal('API_KEY', 'expected API_KEY'), place: KeyPlace }))
    .length(1, 'expected exactly one method'),
});
