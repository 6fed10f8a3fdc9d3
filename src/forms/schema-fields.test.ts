import { describe, expect, test } from 'vitest';
import { fieldsOf, initialValues } from './schema-fields.ts';
import { readValues } from './schema-values.ts';

const schema = {
  type: 'object',
  required: ['repository'],
  properties: {
    repository: { type: 'string', title: 'Repository', examples: ['octo/site'] },
    per_page: { type: 'integer', default: 20, minimum: 1, maximum: 100 },
    branch: { enum: ['main', 'next'] },
    tags: { type: 'array', items: { type: 'string' }, maxItems: 3 },
    drafts: { type: 'boolean', default: true },
    rest: { type: 'array', items: { type: 'object' } },
  },
};
const fieldsIn = (given: Record<string, unknown>) => fieldsOf(given) ?? [];
const only = (own: object, more: object = {}) =>
  fieldsIn({ type: 'object', properties: { it: own }, ...more })[0] ?? expect.fail('no field');

describe('a schema as a form', () => {
  const fields = fieldsIn(schema);

  test('each property has the control of its type, its label and its default', () => {
    expect(fields.map(({ name, label, kind, required, initial }) => [name, label, kind, required, initial])).toEqual([
      ['repository', 'Repository', 'text', true, ''],
      ['per_page', 'Per page', 'number', false, '20'],
      ['branch', 'Branch', 'choice', false, ''],
      ['tags', 'Tags', 'list', false, ''],
      ['drafts', 'Drafts', 'yes-no', false, true],
      ['rest', 'Rest', 'json', false, ''],
    ]);
    expect(fields[0]?.example).toBe('octo/site');
  });

  test('values have the types of the schema, and empty fields are omitted', () => {
    const values = { ...initialValues(fields), repository: 'octo/site', tags: 'a\n\nb\n', rest: '[{"a":1}]' };
    expect(readValues(fields, values)).toEqual({
      ok: true,
      values: { repository: 'octo/site', per_page: 20, tags: ['a', 'b'], drafts: true, rest: [{ a: 1 }] },
    });
  });

  test('every problem names its field', () => {
    const values = { ...initialValues(fields), per_page: '1.5', tags: 'a\nb\nc\nd', rest: '[' };
    expect(readValues(fields, values)).toEqual({
      ok: false,
      problems: [
        { name: 'repository', message: 'Repository is required.' },
        { name: 'per_page', message: 'Enter a whole number.' },
        { name: 'tags', message: 'Enter at most 3, one per line.' },
        { name: 'rest', message: 'Enter JSON.' },
      ],
    });
    const wide = { ...initialValues(fields), repository: 'x', per_page: '101' };
    expect(readValues(fields, wide)).toMatchObject({ problems: [{ message: 'Enter a whole number up to 100.' }] });
  });

  test('stored values are shown in the form as they were entered', () => {
    const values = initialValues(fields, { repository: 'octo/site', tags: ['a', 'b'], drafts: false, rest: [1] });
    expect(values).toMatchObject({
      repository: 'octo/site',
      tags: 'a\nb',
      drafts: false,
      per_page: '20',
      rest: '[\n  1\n]',
    });
  });
});

describe('notations of JSON Schema', () => {
  test('a name without a title becomes a label', () => {
    expect(only({ type: 'string' }).label).toBe('It');
    expect(fieldsIn({ type: 'object', properties: { startCursor: { type: 'string' } } })[0]?.label).toBe(
      'Start cursor',
    );
  });

  test('a reference, also one that may be null', () => {
    const $defs = { Colour: { enum: ['red', 'green'], description: 'Which.' } };
    expect(only({ $ref: '#/$defs/Colour' }, { $defs })).toMatchObject({ kind: 'choice', help: 'Which.' });
    const maybe = { anyOf: [{ $ref: '#/$defs/Colour' }, { type: 'null' }], default: null, title: 'Paint' };
    expect(only(maybe, { $defs })).toMatchObject({ kind: 'choice', label: 'Paint', initial: '' });
    expect(only({ type: ['integer', 'null'] }).kind).toBe('number');
    expect(only({ $ref: '#/properties/it' }).kind).toBe('json');
    expect(only({ $ref: 'https://example.com/other' }).kind).toBe('json');
  });

  test('choices with titles, of any type, and several at once', () => {
    const titled = only({
      oneOf: [
        { const: 1, title: 'Low' },
        { const: 2, title: 'High' },
      ],
    });
    expect(titled.choices.map(({ value, label }) => [value, label])).toEqual([
      ['1', 'Low'],
      ['2', 'High'],
    ]);
    expect(readValues([titled], { it: '2' })).toEqual({ ok: true, values: { it: 2 } });
    const several = only({ type: 'array', items: { enum: ['a', 'b', 'c'] }, default: ['b'] });
    expect([several.kind, several.initial]).toEqual(['choices', ['b']]);
    expect(readValues([several], { it: ['c', 'a'] })).toEqual({ ok: true, values: { it: ['a', 'c'] } });
    expect(readValues([several], { it: [] })).toEqual({ ok: true, values: {} });
  });

  test('an optional boolean has three values', () => {
    expect(only({ type: 'boolean' }).kind).toBe('choice');
    expect(readValues([only({ type: 'boolean' })], { it: 'false' })).toEqual({ ok: true, values: { it: false } });
    expect(readValues([only({ type: 'boolean' })], { it: '' })).toEqual({ ok: true, values: {} });
    expect(only({ type: 'boolean' }, { required: ['it'] }).kind).toBe('yes-no');
  });

  test('a list of numbers rejects text', () => {
    const list = only({ type: 'array', items: { type: 'number', maximum: 9 } });
    expect(readValues([list], { it: '1\n 2.5' })).toEqual({ ok: true, values: { it: [1, 2.5] } });
    expect(readValues([list], { it: '1\nx' })).toMatchObject({ problems: [{ message: 'Enter a number.' }] });
  });

  test('a nested object has its own fields and is omitted while they are unchanged', () => {
    const own = {
      type: 'object',
      required: ['city'],
      properties: { city: { type: 'string' }, zone: { type: 'string', default: 'UTC' }, deep: { type: 'object' } },
    };
    const place = only(own);
    expect(place.fields.map(({ name, kind }) => [name, kind])).toEqual([
      ['city', 'text'],
      ['zone', 'text'],
      ['deep', 'json'],
    ]);
    const start = initialValues([place]);
    expect(readValues([place], start)).toEqual({ ok: true, values: {} });
    expect(readValues([place], { it: { city: '', zone: 'CET', deep: '' } })).toEqual({
      ok: false,
      problems: [{ name: 'it.city', message: 'City is required.' }],
    });
    expect(readValues([place], { it: { city: 'Bern', zone: 'UTC', deep: '{"a":1}' } })).toEqual({
      ok: true,
      values: { it: { city: 'Bern', zone: 'UTC', deep: { a: 1 } } },
    });
    expect(readValues([only(own, { required: ['it'] })], start)).toMatchObject({ problems: [{ name: 'it.city' }] });
  });

  test('a schema that fields cannot express has none', () => {
    const object = { type: 'object', properties: { a: { type: 'string' } } };
    expect(fieldsOf({ ...object, anyOf: [{ required: ['a'] }, { required: ['b'] }] })).toBeUndefined();
    expect(fieldsOf({ type: 'object', additionalProperties: { type: 'string' } })).toBeUndefined();
    expect(fieldsOf({ type: 'object', properties: { 'a.b': { type: 'string' } } })).toBeUndefined();
    expect(fieldsOf({ type: 'object', properties: { 0: { type: 'string' } } })).toBeUndefined();
    expect(fieldsOf({ type: 'object' })).toEqual([]);
    expect(fieldsOf({ ...object, additionalProperties: true })).toHaveLength(1);
  });

  test('an invalid schema does not throw', () => {
    for (const it of [null, 7, 'x', [], { type: 7 }, { enum: 'x' }, { properties: [] }, { items: [] }, { $ref: 7 }])
      expect(fieldsOf({ type: 'object', properties: { it }, required: 'it' })?.length).toBeLessThanOrEqual(1);
    expect(fieldsOf({ properties: 7, required: {} })).toEqual([]);
  });
});
