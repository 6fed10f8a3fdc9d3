import { expect, it } from 'vitest';
import { type AppField, problemsOf } from './field-problems.ts';

const field = (name: string, more: Partial<AppField> = {}): AppField => ({
  name,
  label: name,
  type: 'text',
  secret: false,
  required: true,
  pattern: null,
  help: null,
  ...more,
});
const SHOP = field('shop', { label: 'Shop', pattern: '[a-z0-9-]+', help: 'The part before .myshopify.com.' });
const KEY = field('api_key', { label: 'API key', secret: true });

it('shows each problem beside its field', () => {
  expect(
    problemsOf([SHOP, KEY], 'fields.shop: expected a value; fields.api_key: expected at most 4096 characters'),
  ).toEqual({
    shop: 'Shop is required.',
    api_key: 'Expected at most 4096 characters.',
  });
});

it('describes the field instead of its pattern', () => {
  expect(problemsOf([SHOP], 'fields.shop: expected [a-z0-9-]+')).toEqual({
    shop: 'Shop is not valid. The part before .myshopify.com.',
  });
});

it('returns no problem for messages that name no field of the form', () => {
  expect(problemsOf([KEY], 'This connect link was already used, or was replaced by a newer one.')).toEqual({});
  expect(problemsOf([KEY], 'fields.api_key: expected a value; fields.other: unknown field')).toEqual({});
});
