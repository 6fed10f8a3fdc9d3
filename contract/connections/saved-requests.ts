/** Requests that an account has saved for an app, to open them again in the request builder. */
import { z } from 'zod';
import { ConnectionRequest } from '../connections.ts';
import { Id, Name, Timestamp } from '../fields.ts';
import { SAVED_REQUEST_BODY_MAX_CHARS } from '../limits.ts';

const { method, path, headers } = ConnectionRequest.shape;
const SavedBodyKind = z.enum(['none', 'json', 'form', 'text', 'multipart', 'file']);

export const Params = z.object({ app: z.string(), saved_request_id: Id });
export const SavedRequest = z.object({
  saved_request_id: Id,
  app: z.string(),
  name: z.string(),
  method: z.string(),
  path: z.string(),
  headers: z.array(z.tuple([z.string(), z.string()])),
  body_kind: SavedBodyKind,
  body: z.string(),
  created_by: z.string(),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export const SavedRequestCreate = z.strictObject({
  name: Name,
  method,
  path,
  headers,
  body_kind: SavedBodyKind,
  body: z
    .string()
    .max(SAVED_REQUEST_BODY_MAX_CHARS, `expected at most ${SAVED_REQUEST_BODY_MAX_CHARS} characters`)
    .optional(),
});
export const SavedRequestUpdate = z.strictObject({ name: Name });
