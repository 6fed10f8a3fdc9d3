import { expect, it } from 'vitest';
import { valuesInKeyFile } from './key-file.ts';

const FIELDS = [{ name: 'client_email' }, { name: 'private_key' }, { name: 'subject' }];
const file = { type: 'service_account', private_key: '-----BEGIN…', client_email: 'robot@example.com' };

it('finds the fields that a key file fills beside the key', () => {
  expect(valuesInKeyFile(`\n${JSON.stringify(file, null, 2)}`, FIELDS)).toEqual({ client_email: 'robot@example.com' });
});

it.each(['-----BEGIN PRIVATE KEY-----', '{ not JSON', '{"client_email":"a@b"}', ''])('finds none in %s', (text) => {
  expect(valuesInKeyFile(text, FIELDS)).toEqual({});
});
