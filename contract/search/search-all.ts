/** Searches of all functions, page by page, and exports of their hits. */
import { z } from 'zod';
import { Id, limit, NextToken, NextTokenReply, wholeNumber } from '../fields.ts';
import { FoundFunction, SearchHit, SearchQuery, SearchReply } from '../functions.ts';
import { PAGE, SEARCH_ALL_SECONDS } from '../limits.ts';
import { EXPORT_FORMATS } from '../states.ts';

const Question = SearchQuery.omit({ limit: true, function_id: true, version: true, copies: true, sort: true });

export const SearchAllQuery = Question.extend({
  limit: limit(PAGE.searchAll),
  max_seconds: wholeNumber(1, SEARCH_ALL_SECONDS).optional().meta({
    default: SEARCH_ALL_SECONDS,
    description: 'The request ends after this time with what it has; `next_token` continues.',
  }),
  next_token: NextToken,
});
export const SearchAllReply = SearchReply.omit({ truncated: true }).extend({
  /** By function id. In a `results` event of a stream: those found since the event before. */
  functions: z.array(FoundFunction),
  /** The functions that the query could cover, when this request began. */
  scope_count: z.number().int(),
  /** Over all pages so far: functions searched, functions found, and their hits. */
  searched_count: z.number().int(),
  found_count: z.number().int(),
  hit_count: z.number().int(),
  /** Functions whose code could not be searched whole. */
  incomplete_count: z.number().int(),
  /** The exact number of functions found, when all have been searched whole; null before. */
  total: z.number().int().nullable(),
  next_token: NextTokenReply,
});

export const SearchExportQuery = Question.omit({ context: true }).extend({
  format: z.enum(EXPORT_FORMATS).default('ndjson'),
});
/** An exported hit. A function without hits has one line, without a path. */
export const ExportedHit = z.object({
  function_id: Id,
  name: z.string(),
  account_id: Id,
  account_name: z.string(),
  version: z.number().int(),
  path: z.string().nullable(),
  line: z.number().int().nullable(),
  end_line: SearchHit.shape.end_line,
  text: z.string().nullable(),
  first_version: SearchHit.shape.first_version,
  last_version: SearchHit.shape.last_version,
  /** The hits of the function. The file has at most 1,000 of them. */
  hit_count: z.number().int(),
});
