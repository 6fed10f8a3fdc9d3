import { expect, test } from 'vitest';
import { countLines, eventsOf, linesOf, SHOWN_MAX } from './stream-text.ts';

test('events have their name, id and data, however lines end', () => {
  const text = ': hello\n\nevent: add\nid: 7\ndata: {"a":1}\ndata:two\n\nretry: 5\n\ndata\n\ndata: not yet\n';
  const events = [
    { event: 'add', id: '7', data: '{"a":1}\ntwo' },
    { event: 'message', id: null, data: '' },
  ];
  for (const end of ['\n', '\r\n', '\r'])
    expect(eventsOf(`\uFEFF${text.replaceAll('\n', end)}`)).toEqual({ items: events, isCut: false });
  expect(eventsOf('')).toEqual({ items: [], isCut: false });
});

test('the newest lines and events are shown, the earlier ones counted', () => {
  const numbers = Array.from({ length: SHOWN_MAX + 1 }, (_, i) => i);
  const lines = linesOf(numbers.join('\n'));
  expect(lines.isCut).toBe(true);
  expect(lines.items).toEqual(numbers.slice(1).map(String));
  const events = eventsOf(numbers.map((i) => `data: ${i}\n\n`).join(''));
  expect(events.isCut).toBe(true);
  expect(events.items.map(({ data }) => data)).toEqual(numbers.slice(1).map(String));
  expect(linesOf('a\r\nb\n')).toEqual({ items: ['a', 'b'], isCut: false });
  expect(countLines('a\nb')).toBe(2);
  expect(countLines('a\nb\n')).toBe(2);
  expect(countLines('')).toBe(0);
});

test('of a long text, the end is read from the beginning of a line', () => {
  const { items, isCut } = linesOf(`${'x'.repeat(300_000)}\nlast\n`);
  expect(isCut).toBe(true);
  expect(items).toEqual(['last']);
});
