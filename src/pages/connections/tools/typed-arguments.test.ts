import { expect, test } from 'vitest';
import { firstArguments, readArguments, switched, type TypedArguments, toolFields } from './typed-arguments.ts';

const tool = (input_schema: Record<string, unknown>) => ({
  name: 'find',
  title: null,
  description: null,
  input_schema,
  read_only: null,
  destructive: null,
});
const fields = toolFields(
  tool({
    type: 'object',
    required: ['text'],
    properties: { text: { type: 'string' }, count: { type: 'integer', default: 3 }, where: { type: 'object' } },
  }),
);

test('arguments are read from the fields, and invalid ones are reported by field name', () => {
  const typed = firstArguments(fields);
  expect(typed.mode).toBe('form');
  expect(readArguments(fields, typed)).toEqual({
    ok: false,
    problems: [{ name: 'arguments.text', message: 'Text is required.' }],
  });
  expect(readArguments(fields, { ...typed, arguments: { ...typed.arguments, text: 'a' } })).toEqual({
    ok: true,
    values: { text: 'a', count: 3 },
  });
});

test('conversion between fields and JSON keeps the arguments, without invalid ones', () => {
  const typed = { ...firstArguments(fields), arguments: { text: 'a', count: 'many', where: '{"b":1}' } };
  const asJson = switched(fields ?? [], typed);
  expect(JSON.parse(asJson.json)).toEqual({ text: 'a', where: { b: 1 } });
  const back = switched(fields ?? [], { ...asJson, json: '{"text":"z","count":5,"other":true}' });
  expect(readArguments(fields, back)).toEqual({ ok: true, values: { text: 'z', count: 5 } });
});

test('a number that a double cannot represent is sent unchanged, from a field and from JSON', () => {
  const id = '12345678901234567890';
  const typed = { ...firstArguments(fields), arguments: { text: 'a', count: id, where: `{"id":${id}}` } };
  const values = `{"text":"a","count":${id},"where":{"id":${id}}}`;
  const sent = (given: TypedArguments) => {
    const read = readArguments(fields, given);
    return JSON.stringify(read.ok && read.values);
  };
  expect(sent(typed)).toBe(values);
  const asJson = switched(fields ?? [], typed);
  expect(sent(asJson)).toBe(values);
  expect(sent(switched(fields ?? [], asJson))).toBe(values);
  expect(sent({ ...typed, mode: 'json', json: id })).toBe('false');
  expect(sent({ ...typed, arguments: { ...typed.arguments, count: `${id}.5` } })).toBe('false');
});

test('a schema that cannot be shown as fields uses JSON', () => {
  const free = toolFields(tool({ type: 'object', additionalProperties: { type: 'string' } }));
  const typed = firstArguments(free);
  expect(typed.mode).toBe('json');
  expect(readArguments(free, { ...typed, json: '{"a":"b"}' })).toEqual({ ok: true, values: { a: 'b' } });
  for (const json of ['[]', '7', '{', 'null'])
    expect(readArguments(free, { ...typed, json })).toMatchObject({ ok: false, problems: [{ name: 'json' }] });
});
