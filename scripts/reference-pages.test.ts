/** The pages of errors, limits and settings have what the code has. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { STATUS_TEXT } from '../contract/errors.ts';
import * as limits from '../contract/limits.ts';
import { DELIVERY_REASONS, DESTINATION_REASONS, REJECTION_CAUSES, TRIGGER_REASONS } from '../contract/states.ts';

const read = (path: string) => readFileSync(join(fileURLToPath(new URL('..', import.meta.url)), path), 'utf8');
const errors = read('docs/reference/errors.md');

/** The rows below a heading, as cells. */
function rowsOf(page: string, heading: string): string[][] {
  const [, section = ''] = page.split(`\n## ${heading}\n`);
  const [own = ''] = section.split('\n## ');
  return [...own.matchAll(/^\| (.*) \|$/gm)].map(([, row = '']) => row.split(' | ')).slice(1);
}

describe('errors', () => {
  it('has each status with its type, cause and remedy', () => {
    const rows = rowsOf(errors, 'Statuses');
    expect(rows.map(([status, type]) => [status, type])).toEqual(Object.entries(STATUS_TEXT));
    expect(rows.filter((row) => row.length !== 4)).toEqual([]);
  });

  it('has each value of `required`', () => {
    const source = /type Required = (.*);/.exec(read('contract/errors.ts'))?.[1] ?? '';
    const named = rowsOf(errors, 'Required first').map(([name]) => name);
    expect(named.toSorted()).toEqual([...source.matchAll(/'(\w+)'/g)].map(([, name]) => `\`${name}\``).toSorted());
  });

  it.each([
    ['Failed and skipped deliveries', DELIVERY_REASONS],
    ['Triggers that stop', TRIGGER_REASONS],
    ['Rejected webhook requests', REJECTION_CAUSES],
  ] as const)('has each reason of “%s”, with cause and remedy', (heading, reasons) => {
    const rows = rowsOf(errors, heading);
    expect(rows.map(([reason]) => reason)).toEqual(reasons.map((reason) => `\`${reason}\``));
    expect(rows.filter((row) => row.length !== 3)).toEqual([]);
  });

  it('has each reason of a disabled destination', () => {
    for (const reason of DESTINATION_REASONS) expect(errors).toContain(`\`${reason}\``);
  });
});

it('limits have the values of contract/limits.ts', () => {
  const page = read('docs/reference/limits.md');
  const count = (value: number) => value.toLocaleString('en-US');
  const row = (start: string) => page.split('\n').find((line) => line.startsWith(`| ${start} |`)) ?? '';
  const MIB = 1024 * 1024;
  const expected: [string, ...(string | number)[]][] = [
    ['body of a request', `${limits.BODY_MAX_BYTES / MIB} MiB`, `${limits.CODE_MAX_BYTES / MIB} MiB`],
    ['depth of JSON', limits.JSON_MAX_DEPTH],
    ['IDs in one read by ID', limits.IDS_MAX],
    ['idempotency key', limits.IDEMPOTENCY_KEY_MAX_CHARS, limits.IDEMPOTENCY_HOURS],
    ['body of a webhook request', `${limits.HOOK_BODY_MIB.default} MiB`, limits.HOOK_BODY_MIB.max],
    ['time for the body of a webhook request', limits.INGRESS_SECONDS],
    ['events in one request', count(limits.INGRESS_ITEMS_MAX)],
    ['payload of an event', `${limits.PAYLOAD_MAX_BYTES / 1024} KiB`],
    ["deduplication by the source's ID", limits.DEDUPLICATION_HOURS],
    ['destinations of a trigger', limits.DESTINATIONS_PER_TRIGGER],
    ['custom headers of a destination', limits.DESTINATION_HEADERS_MAX],
    [
      'time of an attempt',
      limits.ATTEMPT_TIMEOUT_MS / 1000,
      `${limits.ATTEMPT_SECONDS.min} to ${limits.ATTEMPT_SECONDS.max}`,
    ],
    ['stored response of an attempt', limits.RESPONSE_KEPT_BYTES / 1024],
    [
      'requests in flight of a destination',
      limits.IN_FLIGHT.default,
      `${limits.IN_FLIGHT.min} to ${limits.IN_FLIGHT.max}`,
    ],
    ['rate limit of a destination', count(limits.RATE_PER_SECOND_MAX)],
    ['delays of a custom retry schedule', limits.RETRY_DELAYS_MAX],
    ['events of one replay; named by ID', count(limits.REPLAY_MAX_EVENTS), count(limits.REPLAY_IDS_MAX)],
    ['code of a version', limits.CODE_MAX_BYTES / MIB, count(limits.CODE_MAX_FILES)],
    ['time of a run', limits.TIMEOUT_SECONDS.default, limits.TIMEOUT_SECONDS.max],
    ['concurrent runs of a function; of an account', limits.RUNS_AT_ONCE],
    [
      'body of a request and of a response',
      `${limits.FUNCTION_BODY_MAX_BYTES / MIB} MiB`,
      `${limits.RUN_BODY_KEPT_BYTES / 1024} KiB`,
    ],
    ['time of a transformation', limits.TRANSFORM_SECONDS],
    ['shadows in progress', limits.SHADOWS_AT_ONCE],
    ['connections that one bulk action changes', count(limits.BULK_CONNECTIONS_MAX)],
    ['tags of a connection', limits.TAGS.max, limits.TAGS.chars],
    ['connect link', limits.CONNECT_SESSION_MINUTES],
    ['refresh before tokens expire', limits.REFRESH_AHEAD_MINUTES],
    ['time until a connection is FAILED', limits.REFRESH_GIVE_UP_DAYS],
    ['query', count(limits.SEARCH_QUERY_MAX_CHARS)],
    ['time of a search', limits.SEARCH_BUDGET_MS / 1000, limits.SEARCH_LONGEST_MS / 1000],
    [
      'hits of a function in a list; in its page',
      limits.SEARCH_HITS_PER_FUNCTION,
      count(limits.SEARCH_HITS_IN_ONE_FUNCTION),
    ],
    ['saved searches; saved filters', limits.SAVED_SEARCHES_MAX, limits.SAVED_FILTERS_MAX],
    ['pinned events', count(limits.PINNED_EVENTS_MAX)],
    ['session', limits.SESSION_DAYS, limits.SESSION_MAX_DAYS],
    ['sessions of a person', limits.SESSIONS_PER_USER],
    ['failed sign-ins in 15 min', limits.FAILED_SIGN_INS.email, limits.FAILED_SIGN_INS.ip],
    ['password', limits.PASSWORD_MIN_CHARS],
    ['recovery codes; passkeys', limits.RECOVERY_CODES, limits.PASSKEYS_PER_PERSON],
    ['invitation', limits.INVITE_DAYS],
    ['link for a new password', limits.PASSWORD_RESET_HOURS],
  ];
  const wrong = expected.filter(([start, ...values]) => values.some((value) => !row(start).includes(String(value))));
  expect(wrong).toEqual([]);
});

describe('settings', () => {
  const source = read('server/config.ts');
  const operating = read('docs/reference/operating.md');
  const names = [...new Set([...source.matchAll(/'(SLUICE_[A-Z_]+)'/g)].map(([, name = '']) => name))];

  it.each(names)('%s is described', (name) => {
    expect(operating).toContain(`\`${name}\``);
  });

  it('limits name only settings that exist', () => {
    const named = [...read('docs/reference/limits.md').matchAll(/`(SLUICE_[A-Z_]+)`/g)].map(([, name = '']) => name);
    expect(named.filter((name) => !names.includes(name))).toEqual([]);
  });
});
