import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { newSigningSecret, signatureHeaders, signingKey } from './signing.ts';

it('signs with each secret, and the reference library verifies it', () => {
  const secrets = [newSigningSecret(), newSigningSecret()];
  const body = '{"a":"ü €"}';
  const headers = signatureHeaders(secrets.map(signingKey), 'evt', Date.now(), body);
  for (const secret of secrets) expect(new Webhook(secret).verify(body, headers)).toEqual({ a: 'ü €' });
  expect(() => new Webhook(newSigningSecret()).verify(body, headers)).toThrow();
  expect(() => new Webhook(secrets[0] ?? '').verify(`${body} `, headers)).toThrow();
});
