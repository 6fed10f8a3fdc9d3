/** Connections between an account and a third-party app, and the session a person completes one in. */
import { z } from 'zod';
import { AppId, AppMethod } from './apps.ts';
import { Id, JsonObject, Name, StringMap, Timestamp } from './fields.ts';
import { AUTH_METHODS, CONNECTION_STATUSES } from './states.ts';

export const Connection = z.object({
  connection_id: Id,
  status: z.enum(CONNECTION_STATUSES),
  creation_time: Timestamp,
  last_updated_time: Timestamp,
  url: z.string(),
  app: z.string(),
  /** Absent until it is chosen. */
  method: z.enum(AUTH_METHODS).optional(),
  /** `failure` {code, message, since} stands here while the connection is FAILED. */
  metadata: JsonObject,
  name: z.string().nullable(),
  is_default: z.boolean(),
  last_used_time: Timestamp.nullable(),
});
export const ConnectionQuery = z.object({
  app: z.string().max(64).optional(),
  status: z.enum(CONNECTION_STATUSES).optional(),
  method: z.enum(AUTH_METHODS).optional(),
});
const Metadata = JsonObject.refine(
  (value) => JSON.stringify(value).length <= 16_384,
  'expected at most 16384 characters of JSON',
).refine((value) => !('failure' in value), 'expected no key named failure: the service keeps it');
export const ConnectionCreate = z.strictObject({
  app: AppId,
  method: z.enum(AUTH_METHODS).optional(),
  name: Name.nullable().optional(),
  metadata: Metadata.optional(),
});
export const ConnectionUpdate = z.strictObject({
  name: Name.nullable().optional(),
  metadata: Metadata.optional(),
  is_default: z.literal(true, 'expected true: another connection takes over by becoming the default').optional(),
});

/** What the connect window shows to whoever holds the link. */
export const ConnectSession = z.object({
  connection_id: Id,
  status: z.enum(CONNECTION_STATUSES),
  app: z.object({ app: z.string(), name: z.string(), icon: z.string().nullable(), docs_url: z.string().nullable() }),
  account_name: z.string(),
  /** The methods open to this connection: one when it was created with a method. */
  methods: z.array(AppMethod),
});
export const ConnectSubmit = z.strictObject({
  method: z.enum(AUTH_METHODS),
  fields: StringMap.refine((fields) => Object.keys(fields).length <= 50, 'expected at most 50 fields'),
});
