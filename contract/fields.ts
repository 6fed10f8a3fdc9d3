/** Field schemas that the resources share, and the form of operations. */
import { z } from 'zod';
import { IDS_MAX } from './limits.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A UUID. A malformed one is a 404 in a path (server/http/input.ts) and a 400 elsewhere. */
export const Id = z
  .string()
  .regex(UUID, 'expected a UUID')
  .transform((id) => id.toLowerCase())
  .pipe(z.string())
  .meta({ type: 'string', format: 'uuid' });

/** Selects rows by id: UUIDs separated by commas. Each row is returned once. Undefined if the parameter is absent. */
export const IdList = z
  .string()
  .refine(
    (text) => text.split(',').length <= IDS_MAX && text.split(',').every((id) => UUID.test(id)),
    `expected at most ${IDS_MAX} UUIDs separated by commas`,
  )
  .transform((text) => text.toLowerCase().split(','))
  .pipe(z.array(z.string()))
  .optional()
  .meta({ type: 'string', description: `At most ${IDS_MAX} UUIDs, separated by commas.` });

/** ISO 8601 UTC with six fractional digits and Z. */
export const Timestamp = z.string().meta({ type: 'string', format: 'date-time' });

const TIME = /^\d{4}-\d{2}-(\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?$/;

/** Rejects days such as 30 February, which Date reads as 2 March. */
function isTime(text: string): boolean {
  const day = Number(TIME.exec(text)?.[1]);
  return !Number.isNaN(Date.parse(text)) && new Date(`${text.slice(0, 10)}T00:00:00Z`).getUTCDate() === day;
}

/** Ids hold milliseconds since 1970, PostgreSQL has no year 0, and five-digit years have another format. */
const FIRST_MS = 0;
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * A time in a request: ISO 8601 with an offset or Z, from 1970 to 9999. A time without an offset is UTC.
 */
export const TimestampInput = z
  .string()
  .refine(isTime, 'expected an ISO 8601 time such as 2026-01-31T09:00:00Z')
  .transform((text) => (TIME.exec(text)?.[2] ? text : `${text}Z`))
  .pipe(
    z.string().refine((text) => {
      const atMs = Date.parse(text);
      return atMs >= FIRST_MS && atMs <= LAST_MS;
    }, 'expected a time from 1970 to 9999'),
  )
  .meta({ type: 'string', format: 'date-time' });

/** The largest value of an `integer` column. */
const INTEGER_MAX = 2_147_483_647;

/** The number of a function's version in a body. */
export const VersionNumber = z
  .int(`expected a whole number from 1 to ${INTEGER_MAX}`)
  .min(1, `expected a whole number from 1 to ${INTEGER_MAX}`)
  .max(INTEGER_MAX, `expected a whole number from 1 to ${INTEGER_MAX}`);

/** A name chosen by a user: one line. */
export const Name = z
  .string()
  .trim()
  .min(1, 'expected at least one character')
  .max(100, 'expected at most 100 characters')
  .refine((text) => !/[\u0000-\u001f\u007f]/.test(text), 'expected one line without control characters');

export const Description = z.string().max(2000, 'expected at most 2000 characters');

/** Page size of a list that is not paged without it. 0 means the default. */
export const optionalLimit = (page: { default: number; max: number }) =>
  z
    .string()
    .regex(/^\d{1,100}$/, `expected a whole number from 0 to ${page.max}`)
    .transform((text) => Math.min(Number(text) || page.default, page.max))
    .optional()
    .meta({
      type: 'integer',
      minimum: 0,
      description: `Items per page, at most ${page.max}: a larger value is read as ${page.max}, 0 as ${page.default}. Without it and next_token, all are returned.`,
    });

/** Page size: absent or 0 means the default, a larger value than the maximum means the maximum. */
export const limit = (page: { default: number; max: number }) =>
  z
    .string()
    .regex(/^\d{1,100}$/, `expected a whole number from 0 to ${page.max}`)
    .optional()
    .transform((text) => {
      const n = Number(text ?? 0);
      return n === 0 ? page.default : Math.min(n, page.max);
    })
    .meta({
      type: 'integer',
      minimum: 0,
      default: page.default,
      description: `Items per page, at most ${page.max}: a larger value is read as ${page.max}, 0 as ${page.default}.`,
    });

/** A whole number in a query string, within bounds. */
export const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/, `expected a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((n) => n >= min && n <= max, `expected a whole number from ${min} to ${max}`)
    .meta({ type: 'integer', minimum: min, maximum: max });

/** The number of a function's version in a query string. */
export const VersionParameter = wholeNumber(1, INTEGER_MAX);

/** Text to filter by. Empty text is rejected: a script with an unset variable must not read everything. */
export const FilterText = (maxChars: number) =>
  z
    .string()
    .min(1, 'expected at least one character; omit the filter to list everything')
    .max(maxChars, `expected at most ${maxChars} characters`);

export const NextToken = z
  .string()
  .min(1, 'expected the next_token of the previous page; omit it for the first page')
  .max(2048, 'expected at most 2048 characters')
  .optional();
export const NextTokenReply = z.string().nullable();

/** A JSON value, stored unchanged. */
export const Json = z.unknown();
export const JsonObject = z.record(z.string(), z.unknown());
export const StringMap = z.record(z.string(), z.string());

/** A query parameter that is true or false; absent when not given. */
export const YesNo = z
  .enum(['true', 'false'], 'expected true or false')
  .transform((text) => text === 'true')
  .optional()
  .meta({ type: 'boolean' });

/** URLs without a host, in words. */
const OTHER_URLS: Record<string, string> = {
  mailto: 'mailto: and an email address',
  connection: 'connection:// and the ID of a connection',
};

/**
 * An absolute URL with one of these schemes, without a fragment or user information. `plain` returns the URL to check,
 * for URLs with placeholders. `mailto` and `connection` have no host.
 */
export function urlWithScheme(schemes: readonly string[], plain = (text: string) => text) {
  const others = Object.keys(OTHER_URLS).filter((scheme) => schemes.includes(scheme));
  const web = schemes.filter((scheme) => !others.includes(scheme));
  const begin = new RegExp(`^(?:(?:${web.join('|')})://${others.map((scheme) => `|${scheme}:`).join('')})`, 'i');
  const expected = [`expected an absolute ${web.join(' or ')} URL`, ...others.map((scheme) => OTHER_URLS[scheme])].join(
    ', or ',
  );
  return z
    .string()
    .max(2048, 'expected at most 2048 characters')
    .superRefine((given, issue) => {
      const text = plain(given);
      const url = URL.canParse(text) ? new URL(text) : undefined;
      if (!url || !begin.test(text)) issue.addIssue({ code: 'custom', message: expected });
      else if (url.username || url.password)
        issue.addIssue({ code: 'custom', message: 'expected a URL without user name or password' });
      else if (url.hash) issue.addIssue({ code: 'custom', message: 'expected a URL without a # fragment' });
    })
    .meta({ type: 'string', format: 'uri' });
}
export const WebUrl = urlWithScheme(['http', 'https']);
