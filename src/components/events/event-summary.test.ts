import { describe, expect, test } from 'vitest';
import { shownType, summaryOf } from './event-summary.ts';

describe('a payload in one line', () => {
  test('a firing is identified by its expression and zone, not by the time beside it', () => {
    const payload = { scheduled_for: '2026-11-21T14:00:00.000000Z', cron_expression: '*/5 * * * *', timezone: 'UTC' };
    expect(summaryOf(payload)).toBe('*/5 * * * * · UTC');
  });

  test('top-level values come before nested ones, and there are at most four', () => {
    const payload = { data: { object: { id: 'in_1', due: 8900, paid: false } }, id: 'evt_1', live: true };
    expect(summaryOf(payload)).toBe('evt_1 · true · in_1 · 8900');
  });

  test('long and multi-line values are cut to one short line', () => {
    expect(summaryOf({ text: `first\nsecond ${'x'.repeat(100)}` })).toBe(`first second ${'x'.repeat(35)}…`);
  });

  test('without scalar values it is the JSON itself', () => {
    expect(summaryOf({})).toBe('{}');
    expect(summaryOf({ items: [{}, null] })).toBe('{"items":[{},null]}');
  });
});

describe('the type of an event', () => {
  const event = (payload: Record<string, unknown>, source = 'webhook') => ({
    source,
    event_type: `${source}.received`,
    payload,
  });
  test('is that of the payload where the source has one', () => {
    expect(shownType(event({ type: 'order.paid' }))).toBe('order.paid');
    expect(shownType(event({ type: { nested: 1 }, event: ' order.sent ' }))).toBe('order.sent');
    expect(shownType(event({ type: 'x'.repeat(101) }))).toBe('webhook.received');
    expect(shownType(event({ amount: 3 }))).toBe('webhook.received');
    expect(shownType(event({ type: 'push' }, 'github'))).toBe('github.received');
  });
});
