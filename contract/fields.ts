/** The small shapes that nouns are made of. */
import { z } from 'zod';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A UUID-formatted identifier. In a path a malformed one is a 404 (see http/adaptor), elsewhere a 400. */
export const Id = z
  .string()
  .regex(UUID, 'expected a UUID')
  .transform((id) => id.toLowerCase())
  .pipe(z.string())
  .meta({ type: 'string', format: 'uuid' });

/** ISO 8601 UTC with six fractional digits and Z. */
export const Timestamp = z.string().meta({ type: 'string', format: 'date-time' });

const TIME = /^\d{4}-\d{2}-(\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?$/;

/** The 30th of February is no day, though Date makes it the 2nd of March. */
function isTime(text: string): boolean {
  const day = Number(TIME.exec(text)?.[1]);
  return !Number.isNaN(Date.parse(text)) && new Date(`${text.slice(0, 10)}T00:00:00Z`).getUTCDate() === day;
}

/** A point in time as a client may write it: ISO 8601 with an offset or Z. Without one it is UTC, as all times are. */
export const TimestampInput = z
  .string()
  .refine(isTime, 'expected an ISO 8601 time such as 2026-01-31T09:00:00Z')
  .transform((text) => (TIME.exec(text)?.[2] ? text : `${text}Z`))
  .pipe(z.string())
  .meta({ type: 'string', format: 'date-time' });

const noNul = (text: string) => !text.includes('\u0000');

/** One line a person gave to a thing. */
export const Name = z
  .string()
  .trim()
  .min(1, 'expected at least one character')
  .max(100, 'expected at most 100 characters')
  .refine((text) => !/[\u0000-\u001f\u007f]/.test(text), 'expected one line without control characters');

export const Description = z
  .string()
  .max(2000, 'expected at most 2000 characters')
  .refine(noNul, 'expected no NUL character');

/** `limit`: absent or 0 is the default, above the maximum is the maximum, anything but a whole number is refused. */
export const limit = (page: { default: number; max: number }) =>
  z
    .string()
    .regex(/^\d{1,100}$/, `expected a whole number from 0 to ${page.max}`)
    .optional()
    .transform((text) => {
      const n = Number(text ?? 0);
      return n === 0 ? page.default : Math.min(n, page.max);
    })
    .meta({ type: 'integer', minimum: 0, maximum: page.max, default: page.default });

/** A whole number in a query string, within bounds. */
export const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/, `expected a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((n) => n >= min && n <= max, `expected a whole number from ${min} to ${max}`)
    .meta({ type: 'integer', minimum: min, maximum: max });

export const NextToken = z.string().max(2048).optional();
export const NextTokenReply = z.string().nullable();

/** A JSON value, kept as it came. */
export const Json = z.unknown();
export const JsonObject = z.record(z.string(), z.unknown());
export const StringMap = z.record(z.string(), z.string());

/** An absolute http or https address without a fragment or user information. */
export const WebAddress = z
  .string()
  .max(2048, 'expected at most 2048 characters')
  .superRefine((text, issue) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (!url || !/^https?:\/\//i.test(text))
      issue.addIssue({ code: 'custom', message: 'expected an absolute http or https address' });
    else if (url.username || url.password)
      issue.addIssue({ code: 'custom', message: 'expected an address without user name or password' });
    else if (url.hash) issue.addIssue({ code: 'custom', message: 'expected an address without a # fragment' });
  })
  .meta({ type: 'string', format: 'uri' });
