import { expect, test } from 'vitest';
import { nameAt, namesOf, offersFor, placeText, renderingOf, type TemplateEvent, withName } from './template-text.ts';

const event: TemplateEvent = {
  event_id: 'e1',
  trigger_id: 't1',
  trigger_name: 'billing',
  source: 'stripe',
  event_type: 'invoice.paid',
  received_at: '2026-11-21T09:00:00.000000Z',
  payload: { data: { attempt_count: 2, attempted: true, items: [{ id: 7 }] }, 'odd key': 1 },
};

test('a template renders as the service would render it', () => {
  expect(renderingOf('{"n": {{ payload.data.attempt_count }}, "by": "{{ trigger_name }}"}', event, 'json')).toEqual({
    ok: true,
    body: '{"n": 2, "by": "billing"}',
    json: true,
  });
});

test('an error is reported with its position', () => {
  const text = '{\n  "a": {{ nothing }}\n}';
  const made = renderingOf(text, event, 'json');
  expect(made.ok).toBe(false);
  const position = made.ok ? undefined : made.position;
  expect(text.slice(position)).toMatch(/^nothing/);
  expect(placeText(text, position ?? 0)).toBe('line 2, column 11');
});

test('an invalid JSON result is rejected only if the content type requires JSON', () => {
  const made = renderingOf('n={{ payload.data.attempt_count }}', event, 'json');
  expect(made.ok ? '' : made.message).toMatch(/^The result is not JSON: /);
  expect(renderingOf('n={{ payload.data.attempt_count }}', event, 'any')).toEqual({
    ok: true,
    body: 'n=2',
    json: false,
  });
});

test('payload names are suggested while typing, and closed when inserted', () => {
  const names = namesOf(event);
  expect(names.map(({ name }) => name)).toContain('payload.data.items.0.id');
  expect(names.some(({ name }) => name.includes('odd'))).toBe(false);
  const text = '{"a": "{{ payload.data.at"}';
  const caret = text.indexOf('"}');
  const at = nameAt(text, caret);
  expect(at?.typed).toBe('payload.data.at');
  expect(offersFor(at?.typed ?? '', names).map(({ name }) => name)).toEqual([
    'payload.data.attempt_count',
    'payload.data.attempted',
  ]);
  expect(offersFor('count', names).map(({ name }) => name)).toEqual(['payload.data.attempt_count']);
  expect(withName(text, caret, at?.from ?? 0, 'payload.data.attempted').text).toBe(
    '{"a": "{{ payload.data.attempted }}"}',
  );
  const closed = '{{ pay }}';
  expect(withName(closed, 6, 3, 'payload')).toEqual({ text: '{{ payload }}', caret: 10 });
  expect(withName('{{', 2, 2, 'payload')).toEqual({ text: '{{ payload }}', caret: 13 });
  expect(nameAt('{{ payload }} and', 15)).toBeUndefined();
});
