import { describe, expect, it } from 'vitest';
import { type Buckets, middles, snapped, spanText, ticksOf, tickText } from './chart-times.ts';

const at = (text: string) => Date.parse(text) / 1_000;
const day: Buckets = { since: at('2026-11-20T14:10:00Z'), seconds: 600, count: 144 };
const read = (times: readonly number[]) => times.map((time) => tickText(time, 'utc'));

describe('times on a chart', () => {
  it('places a bucket at its middle', () => {
    expect(middles({ since: 0, seconds: 60, count: 3 })).toEqual([30, 90, 150]);
  });

  it('extends a selection to whole buckets within the chart', () => {
    const { since } = day;
    expect(snapped(day, since + 601, since + 1_801)).toEqual({ from: since + 600, to: since + 2_400 });
    expect(snapped(day, since + 650, since + 650)).toEqual({ from: since + 600, to: since + 1_200 });
    expect(snapped(day, since - 50, since + 1e9)).toEqual({ from: since, to: since + 86_400 });
    expect(snapped(day, since + 1e9, since + 1e9)).toEqual({ from: since + 85_800, to: since + 86_400 });
  });

  it('puts ticks on round times, and shows the date at midnight', () => {
    expect(read(ticksOf(day, 5, 'utc'))).toEqual(['18:00', '11-21', '06:00', '12:00']);
    expect(read(ticksOf({ since: at('2026-11-21T13:07:00Z'), seconds: 60, count: 60 }, 5, 'utc'))).toEqual([
      '13:15',
      '13:30',
      '13:45',
      '14:00',
    ]);
    const week: Buckets = { since: at('2026-11-14T14:00:00Z'), seconds: 3_600, count: 168 };
    expect(read(ticksOf(week, 7, 'utc'))).toHaveLength(7);
    expect(read(ticksOf(week, 4, 'utc'))).toEqual(['11-15', '11-17', '11-19', '11-21']);
    const month: Buckets = { since: at('2026-10-23T12:00:00Z'), seconds: 43_200, count: 60 };
    expect(read(ticksOf(month, 8, 'utc'))).toEqual(['10-24', '10-29', '11-03', '11-08', '11-13', '11-18']);
    expect(read(ticksOf(month, 5, 'utc'))).toEqual(['10-29', '11-05', '11-12', '11-19']);
  });

  it('omits the second date if it is the same', () => {
    const from = at('2026-11-21T23:50:00Z');
    expect(spanText({ from, to: from + 300 }, 'utc')).toBe('11-21 23:50 to 23:55');
    expect(spanText({ from, to: from + 600 }, 'utc')).toBe('11-21 23:50 to 11-22 00:00');
  });
});
