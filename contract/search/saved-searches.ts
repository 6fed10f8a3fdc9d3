/** Searches that an account has saved: links to open again, and what triggers of `code.matched` watch. */
import { z } from 'zod';
import { Id, Name, Timestamp } from '../fields.ts';
import { SearchQuery } from '../functions.ts';

const { q, owner, case: choice } = SearchQuery.shape;

export const Params = z.object({ saved_search_id: Id });
export const SavedSearch = z.object({
  saved_search_id: Id,
  name: z.string(),
  q: z.string(),
  owner: z.enum(['SELF', 'ALL']),
  case: z.enum(['auto', 'yes', 'no']),
  /** Whether a trigger can watch it: it searches code, not names and descriptions. */
  is_code: z.boolean(),
  /** Triggers of `code.matched` that watch it. */
  triggers: z.int(),
  created_by: z.string(),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export const SavedSearchCreate = z.strictObject({ name: Name, q, owner, case: choice });
export const SavedSearchUpdate = z.strictObject({
  name: Name.optional(),
  q: q.optional(),
  owner: z.enum(['SELF', 'ALL']).optional(),
  case: z.enum(['auto', 'yes', 'no']).optional(),
});
