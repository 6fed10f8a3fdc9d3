import { describe, expect, it } from 'vitest';
import { MASK } from '../../../contract/limits.ts';
import { isSecretName, maskBody, maskHeaders, maskPath, type Secrets } from './mask.ts';

const NONE: Secrets = { values: [], names: new Set() };
const body = (text: string, type: string, secrets = NONE) => maskBody(text, type, secrets);

describe('names', () => {
  it.each([
    'password',
    'user_password',
    'passwd',
    'secret',
    'client_secret',
    'clientSecret',
    'access_token',
    'refreshToken',
    'api_key',
    'apiKey',
    'x-api-key',
    'Authorization',
    'private_key',
    'privateKey',
    'cvc',
    'cvv',
    'pin',
    'otp',
    'ssn',
    'X-Amz-Signature',
    'X-Amz-Credential',
    'sig',
    'signature',
    'session_token',
    'card_number',
    'code_verifier',
    'stripe-signature',
    'id_token',
    'csrf_token',
    'csrfToken',
    'token',
    'bearer',
    'auth',
    'credentials',
    'jwt',
  ])('%s is secret', (name) => expect(isSecretName(name)).toBe(true));
  it.each([
    'name',
    'next_page_token',
    'nextPageToken',
    'pageToken',
    'next_token',
    'sync_token',
    'token_type',
    'max_tokens',
    'total_tokens',
    'author',
    'spinner',
    'shipping',
    'passenger',
    'key',
    'id',
    'description',
    'compass',
    'signed_at',
  ])('%s is not', (name) => expect(isSecretName(name)).toBe(false));
});

describe('headers', () => {
  it('of credentials are masked, by name and by the places of the app', () => {
    const flat = [
      'Authorization',
      'Bearer abc',
      'Cookie',
      'a=b',
      'set-cookie',
      'sid=1',
      'X-Ledger',
      'k-1',
      'Accept',
      'text/plain',
      'X-Api-Key',
      'k',
      'Location',
      '/next?access_token=abc&page=2',
      'X-Note',
      'key k-secret-key ends',
    ];
    const secrets = { values: ['k-secret-key'], names: new Set(['x-ledger']) };
    expect(maskHeaders(flat, secrets)).toEqual([
      ['Authorization', MASK],
      ['Cookie', MASK],
      ['set-cookie', MASK],
      ['X-Ledger', MASK],
      ['Accept', 'text/plain'],
      ['X-Api-Key', MASK],
      ['Location', `/next?access_token=${MASK}&page=2`],
      ['X-Note', `key ${MASK} ends`],
    ]);
  });
});

describe('paths', () => {
  it('keep their bytes except for secret parameters', () => {
    expect(maskPath('/a%2Fb/c?x=1&&api_key=abc&y=%20&token', NONE)).toBe(`/a%2Fb/c?x=1&&api_key=${MASK}&y=%20&token`);
    expect(maskPath('/a?user%5Bpassword%5D=p&Sig=s', NONE)).toBe(`/a?user%5Bpassword%5D=${MASK}&Sig=${MASK}`);
    expect(maskPath('/a?%E0%A4%A=1', NONE)).toBe('/a?%E0%A4%A=1');
    expect(maskPath('/bot123456:ABCDEF/send', { values: ['123456:ABCDEF'], names: new Set() })).toBe(
      `/bot${MASK}/send`,
    );
  });
});

describe('JSON', () => {
  it('keeps everything but the values of secret names', () => {
    const text = '{ "a" : 1.10,\n "password" : "p\\"w", "nested": [{"apiKey":"k", "n": 1e400}], "token": null }';
    expect(body(text, 'application/json')).toBe(
      `{ "a" : 1.10,\n "password" : "${MASK}", "nested": [{"apiKey":"${MASK}", "n": 1e400}], "token": null }`,
    );
  });
  it('masks numbers, lists and objects', () => {
    expect(
      body('{"pin":1234,"secret":["a",{"b":"]}"}],"credentials":{"user":"u","x":{}},"z":1}', 'application/json'),
    ).toBe(`{"pin":"${MASK}","secret":"${MASK}","credentials":"${MASK}","z":1}`);
  });
  it('is masked when it was cut, at each place', () => {
    const text = '{"user":"u","client_secret":"very-secret-value","list":["x"],"password":{"old":"older-secret"}}';
    for (let length = 1; length <= text.length; length++) {
      const masked = body(text.slice(0, length), 'application/json');
      expect(masked).not.toMatch(/very-s|older-s/);
    }
  });
  it('with escaped names, in lines and in events is masked', () => {
    expect(body('{"pass\\u0077ord":"p"}', 'application/json')).toBe(`{"pass\\u0077ord":"${MASK}"}`);
    expect(body('{"token":"a"}\n{"token":"b"}\n', 'application/x-ndjson')).toBe(
      `{"token":"${MASK}"}\n{"token":"${MASK}"}\n`,
    );
    expect(body('data: {"token":"a","n":1}\n\n', 'text/event-stream')).toBe(`data: {"token":"${MASK}","n":1}\n\n`);
  });
  it('within strings is masked, also if it was cut', () => {
    const inner = JSON.stringify({ a: '{', password: 'hidden"value', list: [1] });
    const text = JSON.stringify({ body: inner, form: 'a=1&password=hidden%20value', note: 'a = b' });
    const masked = body(text, 'application/json');
    expect(JSON.parse(JSON.parse(masked).body)).toEqual({ a: '{', password: MASK, list: [1] });
    expect(JSON.parse(masked)).toMatchObject({ form: `a=1&password=${MASK}`, note: 'a = b' });
    for (let length = 1; length <= text.length; length++)
      expect(body(text.slice(0, length), 'application/json')).not.toContain('hidden');
  });
  it('is not trusted to have its type', () => {
    expect(body('{"password":"p"}', 'text/plain')).toBe(`{"password":"${MASK}"}`);
    expect(body('{"password":"p"}', '')).toBe(`{"password":"${MASK}"}`);
  });
  it('of any depth and with broken quotes takes little time', () => {
    expect(body(`${'{"token":'.repeat(5_000)}1`, 'application/json')).toBe(`{"token":"${MASK}"`);
    for (const text of [
      '"'.repeat(65_536),
      '[{"a":'.repeat(10_000),
      '\\'.repeat(65_536),
      '<'.repeat(65_536),
      '&='.repeat(30_000),
    ])
      expect(body(text, 'application/json').length).toBeGreaterThan(0);
  }, 20_000);
});

describe('other bodies', () => {
  it('forms', () =>
    expect(body('a=1&password=p%20w&user[token]=t&b=', 'application/x-www-form-urlencoded; charset=utf-8')).toBe(
      `a=1&password=${MASK}&user[token]=${MASK}&b=`,
    ));
  it('XML', () =>
    expect(body('<a><s:Password Type="x">p</s:Password><b secret="s" c="d">e</b><token>cut', 'text/xml')).toBe(
      `<a><s:Password Type="x">${MASK}</s:Password><b secret="${MASK}" c="d">e</b><token>${MASK}`,
    ));
  it('multipart', () => {
    const part = (name: string, value: string, type = '') =>
      `--xyz\r\nContent-Disposition: form-data; name="${name}"\r\n${type}\r\n${value}\r\n`;
    const text = `${part('title', 'Hello')}${part('password', 'p')}${part('meta', '{"token":"t"}', 'Content-Type: application/json\r\n')}--xyz--\r\n`;
    const masked = body(text, 'multipart/form-data; boundary=xyz');
    expect(masked).toBe(text.replace('\r\n\r\np\r\n', `\r\n\r\n${MASK}\r\n`).replace('"t"', `"${MASK}"`));
  });
  it('the connection’s own credentials, encoded or not', () =>
    expect(body('key=a/b+secret and a%2Fb%2Bsecret', 'text/plain', { values: ['a/b+secret'], names: new Set() })).toBe(
      `key=${MASK} and ${MASK}`,
    ));
  it('tokens by their form', () => {
    const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc_DEF-123';
    const text = `curl -H "Authorization: Bearer abcdefghijklmnop" ${jwt} slc_${'a'.repeat(32)} sk_live_${'b'.repeat(24)} ghp_${'c'.repeat(36)}`;
    const masked = body(text, 'text/plain');
    expect(masked).not.toMatch(/abcdefghijklmnop|eyJ|slc_|sk_live|ghp_/);
    expect(masked.split(MASK)).toHaveLength(6);
  });
});
