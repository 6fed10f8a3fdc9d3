import { describe, expect, it } from 'vitest';
import { checkSchedule, firingAt, nextFiring } from './schedules.ts';

const at = (cron_expression: string, timezone = 'UTC') => ({ cron_expression, timezone });

describe('an invalid schedule is rejected with its field', () => {
  it.each([
    ['* * * *', 'UTC', 'parameters.cron_expression: expected five fields'],
    ['* * * * * *', 'UTC', 'parameters.cron_expression: expected five fields'],
    ['@daily', 'UTC', 'parameters.cron_expression: expected five fields'],
    ['61 * * * *', 'UTC', 'parameters.cron_expression: expected five fields'],
    ['? * * * *', 'UTC', '? is not one of them'],
    ['a b c d e', 'UTC', 'parameters.cron_expression'],
    ['0 0 30 2 *', 'UTC', 'never fires'],
    ['* * * * *', 'Mars/Olympus', 'parameters.timezone: expected an IANA time zone'],
    ['* * * * *', '+02:00', 'parameters.timezone'],
    ['* * * * *', '', 'parameters.timezone'],
  ])('%s in %s', (expression, timezone, message) => {
    expect(() => checkSchedule(at(expression, timezone))).toThrow(message);
  });

  it.each([
    ['*/5 9-17 * * MON-FRI', 'Europe/Berlin'],
    ['0 0 29 2 *', 'UTC'],
    ['0 0 L * *', 'Etc/GMT+5'],
    ['0 0 * * 1#2', 'America/Argentina/Buenos_Aires'],
  ])('%s in %s is not', (expression, timezone) => {
    expect(() => checkSchedule(at(expression, timezone))).not.toThrow();
  });
});

describe('the next firing', () => {
  const next = (expression: string, zone: string, after: string) => nextFiring(at(expression, zone), new Date(after));

  it('is strictly later', () => {
    expect(next('0 12 * * *', 'UTC', '2026-01-01T12:00:00Z')).toBe('2026-01-02T12:00:00.000000Z');
  });
  it('moves to the first valid minute if the local time is skipped', () => {
    expect(next('30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z')).toBe('2026-03-29T01:00:00.000000Z');
  });
  it('fires once if the local time is repeated', () => {
    const first = next('30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00:00Z');
    expect(first).toBe('2026-10-25T00:30:00.000000Z');
    expect(next('30 2 * * *', 'Europe/Berlin', first ?? '')).toBe('2026-10-26T01:30:00.000000Z');
  });
});

describe('the due firing', () => {
  const due = (expression: string, dueAt: string, now: string) => firingAt(at(expression), dueAt, new Date(now));

  it('is the due time if no firing was missed', () => {
    const expected = { scheduled_for: '2026-01-01T10:00:00.000000Z', missed: [] };
    expect(due('0 * * * *', '2026-01-01T10:00:00.000000Z', '2026-01-01T10:00:00.000Z')).toEqual(expected);
    expect(due('0 * * * *', '2026-01-01T10:00:00.000000Z', '2026-01-01T10:59:59Z')).toEqual(expected);
  });
  it('is one firing after downtime, with the missed ones', () => {
    expect(due('0 * * * *', '2026-01-01T10:00:00.000000Z', '2026-01-01T12:30:00Z')).toEqual({
      scheduled_for: '2026-01-01T12:00:00.000000Z',
      missed: ['2026-01-01T10:00:00.000000Z', '2026-01-01T11:00:00.000000Z'],
    });
  });
  it('lists at most a thousand', () => {
    const { missed } = due('* * * * *', '2026-01-01T00:00:00.000000Z', '2026-01-11T00:00:30Z');
    expect(missed).toHaveLength(1000);
    expect(missed.at(-1)).toBe('2026-01-10T23:59:00.000000Z');
  });
});
