import { describe, expect, it } from 'vitest';
import { conform } from './conform.ts';

const read = (status: number, body: unknown, token_path: string | null = null) =>
  conform(status, typeof body === 'string' ? body : JSON.stringify(body), token_path);
const token = { access_token: 'a', token_type: 'bearer' };

describe('a token response', () => {
  it.each<[string, number, unknown, object]>([
    ['as the specification has it', 200, { ...token, expires_in: 3600 }, { expires_in: 3600 }],
    ['with 201', 201, token, {}],
    ['as a form', 200, 'access_token=a&scope=repo&token_type=bearer', { scope: 'repo' }],
    ['of a custom type', 200, { ...token, token_type: 'Zoho-oauthtoken' }, {}],
    ['without a type', 200, { access_token: 'a', scope: 'read_products' }, { scope: 'read_products' }],
    ['with an expiry as text', 200, { ...token, expires_in: '3600' }, { expires_in: 3600 }],
    ['with an expiry of zero', 200, { ...token, expires_in: 0 }, {}],
    ['with an expiry after ages', 200, { ...token, expires_in: 1e20 }, {}],
    ['with an invalid expiry', 200, { ...token, expires_in: 'soon' }, {}],
    ['without a refresh token', 200, { ...token, refresh_token: null }, {}],
    ['and scopes in a list', 200, { ...token, scope: ['a', 'b'] }, {}],
    ['with an ID token', 200, { ...token, id_token: 'e30.e30.' }, {}],
  ])('%s is normalized', (_, status, body, more) => {
    const { reply, status: conformed } = read(status, body);
    expect([conformed, JSON.parse(JSON.stringify(reply))]).toEqual([200, { ...token, ...more }]);
  });

  it('has tokens of a nested object at the top level', () => {
    const body = {
      ok: true,
      app_id: 'A',
      authed_user: { id: 'U1', access_token: 'xoxp', token_type: 'user', scope: 'x' },
    };
    expect(read(200, body, 'authed_user').reply).toMatchObject({
      access_token: 'xoxp',
      token_type: 'bearer',
      scope: 'x',
    });
    expect(read(200, { ...body, access_token: 'xoxb' }).reply).toMatchObject({ access_token: 'xoxb' });
  });
});

describe('an error response', () => {
  it.each<[string, number, unknown, number, string | undefined]>([
    ['as the specification has it', 400, { error: 'invalid_grant' }, 400, 'invalid_grant'],
    ['with 200 in JSON', 200, { error: 'bad_verification_code' }, 400, 'bad_verification_code'],
    ['with 200 in a form', 200, 'error=incorrect_client_credentials&error_uri=x', 400, 'incorrect_client_credentials'],
    ['with 200 and ok: false', 200, { ok: false, error: 'invalid_code' }, 400, 'invalid_code'],
    ['with nothing but ok: false', 200, { ok: false }, 400, 'refused'],
    ['in an object', 401, { error: { code: 'invalid_client', message: 'x' } }, 400, 'invalid_client'],
    ['in an object with a number', 400, { error: { code: 190, type: 'OAuthException' } }, 400, 'OAuthException'],
    ['with 401 alone', 401, {}, 400, 'invalid_client'],
    ['with 401 and a page', 401, '<html>Unauthorized</html>', 400, 'invalid_client'],
    ['with 503', 503, { error: 'server_error' }, 503, 'server_error'],
    ['with 429', 429, { error: 'rate_limited' }, 429, 'rate_limited'],
    ['and an empty token', 200, { access_token: '', error: 'x' }, 400, 'x'],
    ['with 403 and a nonstandard body', 403, { message: 'no' }, 403, undefined],
  ])('%s is normalized', (_, status, body, conformed, error) => {
    const answer = read(status, body);
    expect([answer.status, answer.reply['error']]).toEqual([conformed, error]);
  });

  it('throws for a body that is neither JSON nor a form', () => {
    for (const body of ['<html>bad gateway</html>', '', 'null', '[]', '7', '"x"', '{"a":'])
      expect(() => read(200, body)).toThrow('The token URL returned 200 with a body that is neither JSON nor a form.');
  });
});
