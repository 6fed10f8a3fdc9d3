import { describe, expect, it } from 'vitest';
import { parseTemplate, renderTemplate, type TemplateValues } from './body-template.ts';

const values: TemplateValues = {
  payload: '{"a":{"b":[1,"two"],"q":"say \\"hi\\"\\n","n":7,"t":true,"none":null},"big":12345678901234567890,"é":"ü"}',
  trigger_id: 'trg',
  trigger_name: 'A "quoted" name',
  event_id: 'evt',
  event_url: 'https://sluice.example/events/trg/evt',
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

describe('a filter', () => {
  it.each([
    ['{"x": "{{ payload.a.q | max:6 }}"}', '{"x": "say \\"…"}'],
    ['{{ payload.a.q | max:100 }}', '"say \\"hi\\"\\n"'],
    ['"{{ trigger_name | max:1 }}"', '"…"'],
    ['["{{ payload.emoji | max:3 }}"]', '["a…"]'],
    ['"{{ payload.markup | html }}"', '"&lt;!here&gt; &amp;"'],
    ['"{{ payload.markup | max:3 | html }}"', '"&lt;!…"'],
    ['{{ source | map:schedule=1,*=2 }}', '1'],
    ['{{ source | map:other=1,*=true }}', 'true'],
    ['"{{ source | map:other=1 }}"', '"schedule"'],
    ['{{ source | map: schedule = a b , *= }}', '"a b"'],
    ['"{{ payload.missing | map:*=none }}"', '"none"'],
    ['{{ payload.a.n | map:7=seven }}', '"seven"'],
    ['{{ payload.k|y }}', '"with a bar"'],
    ['{{ payload.none | default: - }}', '"-"'],
    ['{{ payload.none | default:0 }}', '0'],
    ['"{{ payload.none | default:"x" }}"', '"\\"x\\""'],
    ['{{ payload.a.n | default:0 }}', '7'],
    ['"{{ payload.emoji | base64 }}"', '"YfCfmIBi"'],
    ['{{ payload.a.n | required }}', '7'],
  ])('%s renders %s', (source, expected) => {
    const payload = JSON.stringify({
      ...JSON.parse(values.payload),
      emoji: 'a😀b',
      markup: '<!here> &',
      'k|y': 'with a bar',
    });
    expect(renderTemplate(parseTemplate(source), { ...values, payload })).toBe(expected);
  });

  it.each([
    ['{{ source | upper }}', 'position 13: expected the filter max, map, html, base64, default or required'],
    ['{{ source | default }}', 'position 13: expected the filter max'],
    ['{{ source | required:x }}', 'position 13: expected the filter max'],
    ['{{ source | max }}', 'position 13: expected a number of characters'],
    ['{{ source | max:0 }}', 'position 13'],
    ['{{ source | html | map:a }}', 'position 20: expected pairs'],
    ['{{ source | map:=a }}', 'position 13: expected pairs'],
    ['{{ | max:3 }}', 'position 4: expected a name'],
  ])('%s is rejected with its position', (source, message) => {
    expect(() => parseTemplate(source)).toThrow(message);
  });
});

it.each([
  ['{{ payload.none | required }}', 'payload.none'],
  ['"{{ payload.a.none.b | required }}"', 'payload.a.none.b'],
])('%s throws for the missing value', (source, path) => {
  const render = () => renderTemplate(parseTemplate(source), values);
  expect(render).toThrow(`The template requires ${path}, which has no value.`);
});

it('base64 encodes a long text', () => {
  const payload = JSON.stringify({ text: 'é'.repeat(300_000) });
  const encoded = renderTemplate(
    parseTemplate('{{ payload.text | base64 }}'),
    { ...values, payload },
    JSON.parse,
    'text',
  );
  expect(encoded).toBe('w6nDqcOp'.repeat(100_000));
});

describe('the message', () => {
  const template = parseTemplate(
    '{{message.title}}|{{message.text}}|{{message.link}}|{{message.type}}|{{message.key}}|{{message.severity}}|{{message.state}}',
  );
  const text = (changes: Partial<TemplateValues>) =>
    renderTemplate(template, { ...values, ...changes }, JSON.parse, 'text');

  it('of an event of this service is in its payload', () => {
    const payload = {
      title: 'A "title"',
      text: 'a\nb',
      link: 'https://x/',
      condition_id: 'c',
      severity: 'critical',
      state: 'recovered',
    };
    expect(text({ source: 'sluice', payload: JSON.stringify(payload) })).toBe(
      'A "title"|a\nb|https://x/|schedule.elapsed|c|critical|recovered',
    );
    expect(text({ source: 'sluice', payload: '{"title":"","text":7,"severity":"loud","state":{},"link":null}' })).toBe(
      `schedule.elapsed|schedule.elapsed|${values.event_url}|schedule.elapsed|evt|warning|happened`,
    );
  });

  it('of another event is its type and its payload', () => {
    expect(text({ payload: '{"title":"mine","n":[1]}' })).toBe(
      `schedule.elapsed|{\n  "title": "mine",\n  "n": [\n    1\n  ]\n}|${values.event_url}|schedule.elapsed|evt|warning|happened`,
    );
  });
});

it('a text template writes strings as they are', () => {
  const template = parseTemplate(
    '{{ payload.a.q }}{{ payload.a.n }}{{ payload.a.none }}{{ payload.x }} "{{ trigger_name }}"{{ payload.a.b }}',
  );
  expect(renderTemplate(template, values, JSON.parse, 'text')).toBe('say "hi"\n7 "A "quoted" name"[1,"two"]');
});

it.each([
  ['{"a": {{ payload', 'position 7'],
  ['{{ message }}', 'position 4: expected message.title'],
  ['{{ message.a }}', 'position 4: expected message.title'],
  ['{{ message.title.a }}', 'position 4: expected message.title'],
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
