import { describe, expect, it } from 'vitest';
import { parseTemplate, renderTemplate, type TemplateValues } from './body-template.ts';

const values: TemplateValues = {
  payload: '{"a":{"b":[1,"two"],"q":"say \\"hi\\"\\n","n":7,"t":true,"none":null},"big":12345678901234567890,"é":"ü"}',
  trigger_id: 'trg',
  trigger_name: 'A "quoted" name',
  event_id: 'evt',
  source: 'schedule',
  event_type: 'schedule.elapsed',
  received_at: '2026-01-01T00:00:00.000000Z',
};
const render = (source: string) => renderTemplate(parseTemplate(source), values);

describe('a value', () => {
  it.each([
    ['{"x": {{ payload.a.n }}}', '{"x": 7}'],
    ['{"x": {{payload.a.q}}}', '{"x": "say \\"hi\\"\\n"}'],
    ['{"x": "{{ payload.a.q }}!"}', '{"x": "say \\"hi\\"\\n!"}'],
    ['{"x": "{{ payload.a.n }}/{{ payload.a.t }}"}', '{"x": "7/true"}'],
    ['{"x": "{{ payload.a.b }}"}', '{"x": "[1,\\"two\\"]"}'],
    ['{{ payload.a.b.1 }}', '"two"'],
    ['["{{ payload.é }}", "{{ trigger_name }}"]', '["ü", "A \\"quoted\\" name"]'],
    ['{"{{ event_id }}": {{ received_at }}}', '{"evt": "2026-01-01T00:00:00.000000Z"}'],
    ['"a \\" {{ source }}"', '"a \\" schedule"'],
    ['{"a":{"b":{{payload.a.n}}}}', '{"a":{"b":7}}'],
  ])('%s renders %s', (source, expected) => {
    expect(render(source)).toBe(expected);
  });

  it('that is missing renders null, or an empty string inside a string', () => {
    expect(render('[{{ payload.x.y }}, "{{ payload.x }}", "{{ payload.a.none }}", {{ payload.a.none }}]')).toBe(
      '[null, "", "", null]',
    );
    expect(render('[{{ payload.a.constructor }}, {{ payload.__proto__ }}, {{ payload.a.n.x }}]')).toBe(
      '[null, null, null]',
    );
  });

  it('that is the whole payload renders byte for byte', () => {
    expect(render('{"data": {{ payload }}}')).toBe(`{"data": ${values.payload}}`);
    expect(JSON.parse(render('{"data": "{{ payload }}"}') ?? '')).toEqual({ data: values.payload });
  });
});

it.each([
  ['{"a": {{ payload', 'position 7'],
  ['{{ }}', 'position 4'],
  ['ab {{ body }}', 'position 7: expected payload,'],
  ['{{ event_id.x }}', 'position 4'],
  ['{{ payload..x }}', 'position 4'],
  ['{{ payload x }}', 'position 4'],
])('rejects %s with the position', (source, message) => {
  expect(() => parseTemplate(source)).toThrow(message);
});

it('returns undefined above the maximum size', () => {
  const big = { ...values, payload: JSON.stringify('x'.repeat(500_000)) };
  expect(renderTemplate(parseTemplate('{{ payload }}'.repeat(5000)), big)).toBeUndefined();
});

it('keeps text without placeholders unchanged', () => {
  expect(render('{"text": "}} and { {"}')).toBe('{"text": "}} and { {"}');
});
