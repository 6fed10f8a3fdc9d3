/** Form values of a destination: headers as rows, an empty template for none. */
import * as z from 'zod/mini';
import { ATTEMPT_SECONDS, IN_FLIGHT, ORDER_PATH, ORDER_PATH_MAX } from '../../../../contract/limits.ts';
import {
  BODY_FORMATS,
  BODY_SOURCES,
  DESTINATION_METHODS,
  DESTINATION_SCHEMES,
  ORDER_ENDS,
  ORDER_SCOPES,
  RATE_PERIODS,
} from '../../../../contract/states.ts';
import { isMailUrl } from '../../../../contract/text/mail-url.ts';
import { plainUrl } from '../../../../contract/text/url-template.ts';
import type { Destination } from '../../../api/entities.ts';
import type { CallInput } from '../../../api/operation.ts';
import { readFilter, writeFilter } from './fields/filter-text.ts';
import { readDelays, writeDelays } from './fields/retry-delays.ts';

/**
 * `key` identifies a row while editing. `kept`: the stored value was never sent to the browser; returning its mask
 * keeps it.
 */
const headerRow = z.object({ key: z.string(), name: z.string().check(z.trim()), value: z.string(), kept: z.boolean() });
export type HeaderRow = z.infer<typeof headerRow>;

const URL_BEGINNING = new RegExp(
  `^(?:${DESTINATION_SCHEMES.map((scheme) => (scheme === 'mailto' ? 'mailto:' : `${scheme}://`)).join('|')})\\S+$`,
  'i',
);
const BEGINNING = 'Enter a URL that starts with https:// or http://, or mailto: and an email address.';

/** A whole number as text; empty for the default. */
const wholeOrEmpty = (min: number, max: number) =>
  z.string().check(
    z.trim(),
    z.refine(
      (text) => text === '' || (/^\d{1,7}$/.test(text) && Number(text) >= min && Number(text) <= max),
      max > 1000 ? `Enter a whole number from ${min}.` : `Enter a whole number from ${min} to ${max}.`,
    ),
  );

const destinationFields = {
  url: z.string().check(
    z.trim(),
    z.refine((text) => URL_BEGINNING.test(plainUrl(text)), BEGINNING),
  ),
  method: z.enum(DESTINATION_METHODS),
  name: z.string().check(z.trim(), z.maxLength(100, 'Enter at most 100 characters.')),
  headers: z.array(headerRow).check(
    z.refine((rows) => rows.every(({ name, value }) => name !== '' || value === ''), 'Give every header a name.'),
    z.refine((rows) => {
      const names = rows.map(({ name }) => name.toLowerCase()).filter(Boolean);
      return new Set(names).size === names.length;
    }, 'Each header can be listed once.'),
  ),
  body_template: z.string().check(z.maxLength(65_536, 'Enter at most 65,536 characters.')),
  body_source: z.enum(BODY_SOURCES),
  body_format: z.enum(BODY_FORMATS),
  forward_headers: z.string().check(z.maxLength(4_000, 'Enter at most 4,000 characters.')),
  // both report errors while they are edited
  filter: z.string().check(z.refine((text) => readFilter(text).ok, 'Enter a filter.')),
  retry_schedule: z.string().check(z.refine((text) => readDelays(text).ok, 'Enter delays such as 5 s, 5 min.')),
  // the service checks the largest rate of each period
  rate_limit: z.object({ requests: wholeOrEmpty(1, 9_999_999), per: z.enum(RATE_PERIODS) }),
  max_in_flight: wholeOrEmpty(IN_FLIGHT.min, IN_FLIGHT.max),
  timeout_seconds: wholeOrEmpty(ATTEMPT_SECONDS.min, ATTEMPT_SECONDS.max),
  ordering: z
    .object({
      by: z.enum(['NONE', ...ORDER_SCOPES]),
      key: z.string().check(z.trim(), z.maxLength(ORDER_PATH_MAX, `Enter at most ${ORDER_PATH_MAX} characters.`)),
      after_last_attempt: z.enum(ORDER_ENDS),
    })
    .check(
      z.refine(({ by, key }) => by !== 'KEY' || ORDER_PATH.test(key), {
        error: 'Enter a path such as payload.customer.id.',
        path: ['key'],
      }),
    ),
};
export const destinationSchema = z.object(destinationFields);
/** An existing destination must keep a name. */
export const namedDestinationSchema = z.object({
  ...destinationFields,
  name: destinationFields.name.check(z.minLength(1, 'Enter a name.')),
});
export type DestinationValues = z.infer<typeof destinationSchema>;

export const newHeader = (): HeaderRow => ({ key: crypto.randomUUID(), name: '', value: '', kept: false });

export const newDestination: DestinationValues = {
  url: '',
  method: 'POST',
  name: '',
  headers: [],
  body_template: '',
  body_source: 'EVENT',
  body_format: 'JSON',
  forward_headers: '',
  filter: '',
  retry_schedule: '',
  rate_limit: { requests: '', per: 'second' },
  max_in_flight: '',
  timeout_seconds: '',
  ordering: { by: 'NONE', key: '', after_last_attempt: 'BLOCK' },
};

export function valuesOf(destination: Destination): DestinationValues {
  const { url, method, name, headers, body_template, body_source, filter, retry_schedule, rate_limit } = destination;
  return {
    url,
    method,
    name,
    headers: Object.entries(headers).map(([header, value]) => ({ key: header, name: header, value, kept: true })),
    body_template: body_template ?? '',
    body_source,
    body_format: destination.body_format,
    forward_headers: destination.forward_headers.join(', '),
    filter: writeFilter(filter),
    retry_schedule: writeDelays(retry_schedule),
    rate_limit: { requests: textOf(rate_limit?.requests), per: rate_limit?.per ?? 'second' },
    max_in_flight: textOf(destination.max_in_flight),
    timeout_seconds: textOf(destination.timeout_seconds),
    ordering: {
      by: destination.ordering?.by ?? 'NONE',
      key: destination.ordering?.key ?? '',
      after_last_attempt: destination.ordering?.after_last_attempt ?? 'BLOCK',
    },
  };
}

const textOf = (value: number | null | undefined) => (value == null ? '' : String(value));
const numberOf = (text: string) => (text === '' ? null : Number(text));

type DestinationBody = CallInput<'destinationCreate'>['body'];

/** The request body; without a name the service derives one from the URL. */
export function bodyOf(values: DestinationValues): DestinationBody {
  const { url, method, name, headers, body_template, body_source } = values;
  const rows = isMailUrl(url) ? [] : headers.filter((row) => row.name !== '');
  const filter = readFilter(values.filter);
  const delays = readDelays(values.retry_schedule);
  return {
    url,
    method,
    ...(name === '' ? {} : { name }),
    headers: Object.fromEntries(rows.map((row) => [row.name, row.value])),
    body_template: body_template === '' || body_source === 'ORIGINAL' ? null : body_template,
    body_source,
    body_format: body_source === 'ORIGINAL' ? 'JSON' : values.body_format,
    forward_headers: values.forward_headers.split(/[\s,]+/).filter(Boolean),
    filter: filter.ok ? filter.filter : null,
    retry_schedule: delays.ok && delays.seconds ? [...delays.seconds] : null,
    rate_limit:
      values.rate_limit.requests === ''
        ? null
        : { requests: Number(values.rate_limit.requests), per: values.rate_limit.per },
    max_in_flight: numberOf(values.max_in_flight),
    timeout_seconds: numberOf(values.timeout_seconds),
    ordering: orderingOf(values.ordering),
  };
}

function orderingOf({ by, key, after_last_attempt }: DestinationValues['ordering']): DestinationBody['ordering'] {
  return by === 'NONE' ? null : { by, key: by === 'KEY' ? key : null, after_last_attempt };
}

/** The changed fields only, so that a concurrent change to another field is kept. */
export function changesOf(
  values: DestinationValues,
  dirty: Readonly<Partial<Record<keyof DestinationValues, unknown>>>,
): CallInput<'destinationUpdate'>['body'] {
  const body = bodyOf(values);
  const isChanged = (name: string) => dirty[name as keyof DestinationValues] !== undefined;
  // the original body excludes a template and a format
  const changed = Object.entries(body).filter(
    ([name]) => isChanged(name) || ((name === 'body_template' || name === 'body_format') && isChanged('body_source')),
  );
  return Object.fromEntries(changed);
}
