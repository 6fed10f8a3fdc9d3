import { expect, it } from 'vitest';
import { valuesInKeyFile } from './key-file.ts';

const FIELDS = [{ name: 'client_email' }, { name: 'private_key' }, { name: 'subject' }];
const file = { type: 'service_account', private_key: '-----BEGIN…', client_email: 'robot@example.com' };

it('returns the other fields of a key file', () => {
  expect(valuesInKeyFile(`\n${JSON.stringify(file, null, 2)}`, FIELDS)).toEqual({ client_email: 'robot@example.com' });
});

it.each(['-----BEGIN PRIVATE KEY-----', '{ not JSON', '{"client_email":"a@b"}', ''])('returns none for %s', (text) => {
  expect(valuesInKeyFile(text, FIELDS)).toEqual({});
});
