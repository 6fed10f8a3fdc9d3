import { describe, expect, test } from 'vitest';
import { previewOf } from './schedule-preview.ts';

function firings(expression: string, timezone: string, now: string) {
  const preview = previewOf(expression, timezone, new Date(now));
  if (!preview.ok) throw new Error(preview.message);
  return preview.firings;
}

describe('the next firings of a schedule', () => {
  test('are ten, in the clock time of the zone', () => {
    const next = firings('0 9 * * 1-5', 'Europe/Berlin', '2026-11-20T12:00:00Z');
    expect(next).toHaveLength(10);
    expect(next[0]).toMatchObject({ local: 'Mon 2026-11-23 09:00', note: undefined });
    expect(next[0]?.at.toISOString()).toBe('2026-11-23T08:00:00.000Z');
  });

  test('a time that is skipped when clocks go forward has a note; the adjacent ones have none', () => {
    const next = firings('30 2 * * *', 'Europe/Berlin', '2026-03-27T12:00:00Z');
    const [saturday, sunday, monday] = next;
    expect(saturday?.note).toBeUndefined();
    expect(sunday?.local).toMatch(/^Sun 2026-03-29 03:/);
    expect(sunday?.note).toContain('skipped');
    expect(monday?.note).toBeUndefined();
  });

  test('a time that occurs twice when clocks go back has a note for each occurrence', () => {
    const sunday = firings('30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00:00Z')[0];
    expect(sunday?.local).toBe('Sun 2026-10-25 02:30');
    expect(sunday?.note).toContain('occurs twice');
  });

  test('an invalid expression, and one that never fires, have a message', () => {
    expect(previewOf('* * * *', 'UTC', new Date())).toMatchObject({
      ok: false,
      message: expect.stringContaining('Enter five fields'),
    });
    expect(previewOf('99 * * * *', 'UTC', new Date())).toMatchObject({ ok: false });
    expect(previewOf('0 0 30 2 *', 'UTC', new Date())).toEqual({ ok: false, message: 'The schedule never fires.' });
  });
});
