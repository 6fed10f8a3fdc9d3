import { expect, it } from 'vitest';
import { type Credential, clientBody, clientSchema, clientValues, scopesIn } from './client-form.ts';

const stored: Credential = {
  method: 'OAUTH2',
  redirect_url: 'https://sluice.example.com/connect/oauth/callback',
  client_id: 'abc',
  has_secret: true,
  scopes: ['read', 'write'],
  default_scopes: ['read'],
  updated_at: '2026-11-21T08:00:00.000000Z',
};
const typed = { client_id: 'abc', client_secret: '', is_public: false, scopes: '' };

it('an empty secret keeps the stored one, and a public client has none', () => {
  expect(clientBody(typed, 'OAUTH2')).toEqual({ client_id: 'abc', scopes: null });
  expect(clientBody({ ...typed, client_secret: 's' }, 'OAUTH2')).toMatchObject({ client_secret: 's' });
  expect(clientBody({ ...typed, client_secret: 's', is_public: true }, 'OAUTH2')).toMatchObject({
    client_secret: null,
  });
});

it('scopes are split at any separator, and OAuth 1 has none', () => {
  expect(scopesIn(' read, write\nadmin read ')).toEqual(['read', 'write', 'admin']);
  expect(clientBody({ ...typed, scopes: 'a b' }, 'OAUTH2')).toEqual({ client_id: 'abc', scopes: ['a', 'b'] });
  expect(clientBody({ ...typed, scopes: 'a b' }, 'OAUTH1')).toEqual({ client_id: 'abc' });
});

it('stored values fill the form, except the secret', () => {
  expect(clientValues(stored)).toEqual({ ...typed, scopes: 'read\nwrite' });
  expect(clientValues({ ...stored, has_secret: false })).toMatchObject({ is_public: true });
  expect(clientValues({ ...stored, client_id: null, has_secret: false })).toMatchObject({ is_public: false });
});

it('a secret is required if none is stored', () => {
  expect(clientSchema(true).safeParse(typed).success).toBe(true);
  expect(clientSchema(false).safeParse(typed).error?.issues).toMatchObject([{ path: ['client_secret'] }]);
  expect(clientSchema(false).safeParse({ ...typed, is_public: true }).success).toBe(true);
});
