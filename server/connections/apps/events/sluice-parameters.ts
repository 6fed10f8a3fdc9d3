/** Parameters of triggers with the source `sluice`. */
import { parameters } from '../source.ts';

export type JsonSchema = Record<string, unknown>;

const whole = (title: string, description: string, minimum: number, maximum: number, preset?: number): JsonSchema => ({
  type: 'integer',
  title,
  description,
  minimum,
  maximum,
  ...(preset === undefined ? {} : { default: preset }),
});

const AFTER_FAILURES = whole(
  'Failures in a row',
  'A destination or function fails after this number of failed attempts or runs in a row.',
  1,
  200,
  5,
);
const FAILURE_RATE = whole(
  'Failure rate in percent',
  'Replaces failures in a row: at least this share of the attempts or runs in the window failed, and at least the number above.',
  1,
  100,
);
const WINDOW = whole('Window in minutes', 'The time in which a rate or rejected requests are counted.', 1, 1440, 60);
const FOR_MINUTES = whole(
  'Minutes failing',
  'A destination is reported after it has failed for this long.',
  0,
  1440,
  0,
);
const AFTER_REJECTIONS = whole(
  'Rejected requests',
  'A source is reported after this number of rejected requests in the window.',
  1,
  100,
  3,
);
const DAYS_BEFORE = whole('Days before expiry', 'When an API key is reported before it expires.', 1, 365, 14);
const FREE_PERCENT = whole(
  'Free storage in percent',
  'Storage is low below this share of the file system with the data folder.',
  1,
  100,
  10,
);

const failing = { after_failures: AFTER_FAILURES, failure_rate: FAILURE_RATE, window_minutes: WINDOW };
export const destination = parameters({ ...failing, for_minutes: FOR_MINUTES });
export const runs = parameters(failing);
export const everything = parameters({
  ...failing,
  for_minutes: FOR_MINUTES,
  after_rejections: AFTER_REJECTIONS,
  days_before: DAYS_BEFORE,
  free_percent: FREE_PERCENT,
});
export const none = parameters({});
export const watched = {
  ...parameters({
    search_id: {
      type: 'string',
      title: 'Saved search',
      description: 'The ID of a saved search of code, of own or of public functions.',
      pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
    },
  }),
  required: ['search_id'],
};
export const rejections = parameters({ after_rejections: AFTER_REJECTIONS, window_minutes: WINDOW });
export const expiry = parameters({ days_before: DAYS_BEFORE });
export const storage = parameters({ free_percent: FREE_PERCENT });
