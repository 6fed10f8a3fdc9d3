import { describe, expect, test } from 'vitest';
import { fieldsOf, initialValues, readParameters } from './parameter-fields.ts';

const eventType = {
  event_type: 'push',
  description: '',
  sample: {},
  parameters: {
    type: 'object',
    required: ['repository'],
    properties: {
      repository: { type: 'string', title: 'Repository', examples: ['octo/site'] },
      per_page: { type: 'integer', default: 20 },
      branch: { enum: ['main', 'next'] },
      tags: { type: 'array', items: { type: 'string' } },
      drafts: { type: 'boolean', default: true },
    },
  },
};

describe('parameters as a form', () => {
  const fields = fieldsOf(eventType);

  test('each property has the control that fits its type, its words and its default', () => {
    expect(fields.map(({ name, label, kind, required, initial }) => [name, label, kind, required, initial])).toEqual([
      ['repository', 'Repository', 'text', true, ''],
      ['per_page', 'Per page', 'number', false, '20'],
      ['branch', 'Branch', 'choice', false, ''],
      ['tags', 'Tags', 'json', false, ''],
      ['drafts', 'Drafts', 'yes-no', false, true],
    ]);
    expect(fields[0]?.example).toBe('octo/site');
  });

  test('what is read is of the type the schema asks for, and what is empty is left out', () => {
    const values = { ...initialValues(fields), repository: 'octo/site', tags: '["a"]' };
    expect(readParameters(fields, values)).toEqual({
      ok: true,
      parameters: { repository: 'octo/site', per_page: 20, tags: ['a'], drafts: true },
    });
  });

  test('a missing value and broken JSON name their field', () => {
    expect(readParameters(fields, initialValues(fields))).toMatchObject({ ok: false, name: 'repository' });
    expect(readParameters(fields, { repository: 'x', tags: '[' })).toMatchObject({ ok: false, name: 'tags' });
  });

  test('a trigger’s own values come back into the form as they were written', () => {
    const values = initialValues(fields, { repository: 'octo/site', tags: ['a'], drafts: false });
    expect(values).toMatchObject({ repository: 'octo/site', tags: '["a"]', drafts: false, per_page: '20' });
  });
});
