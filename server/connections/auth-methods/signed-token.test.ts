import { createHmac, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { JwtMethod } from '../apps/definition.ts';
import { assertionFor, tokenFor } from './signed-token.ts';
import { signingKey } from './signing-key.ts';

/** The keys and tokens of RFC 7515, appendix A.1 to A.3. */
const PAYLOAD = 'eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ';
const SECRET = 'AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow';
const RSA = `-----BEGIN RSA PRIVATE KEY-----
MIIEowIBAAKCAQEAofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd/wWJcyQoTbji9k0
l8W26mPddxHmfHQp+Vaw+4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL+yRT+SFd2lZS+pC
gNMsD1W/YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb/7OMg0LOL+bSf63kpaSHSX
ndS5z5rexMdbBYUsLA9e+KXBdQOS+UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uD
Zlxvb3qCo5ZwKh9kG4LT6/I5IhlJH7aGhyxXFvUK+DWNmoudF8NAco9/h9iaGNj8
q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQIDAQABAoIBABKucaRpzQorw35S
bEUAVx8dYXUdZOlJcHtiWQ+dC6V8ljxAHj/PLyzTveyI5QO/xkObCyjIL303l2cf
UhPu2MFaJdjVzqACXuOrLot/eSFvxjvqVidTtAZExqFRJ9mylUVAoLvhowVWmC1O
n95fZCXxTUtxNEG1Xcc7m0rtzJKs45J+N/V9DP1edYH6USyPSWGp6wuA+KgHRnKK
Vf9GRx80JQY7nVNkL17eHoTWEwga+lwi0FEoW9Y7lDtWXYmKBWhUE+U8PGxlJf8f
40493HDw1WRQ/aSLoS4QTp3rn7gYgeHEvfJdkkf0UMhlknlo53M09EFPdadQ4TlU
bjqKc50CgYEA4BzEEOtIpmVdVEZNCqS7baC4crd0pqnRH/5IB3jw3bcxGn6QLvnE
tfdUdiYrqBdss1l58BQ3KhooKeQTa9AB0Hw/Py5PJdTJNPY8cQn7ouZ2KKDcmnPG
BY5t7yLc1QlQ5xHdwW1VhvKn+nXqhJTBgIPgtldC+KDV5z+y2XDwGUcCgYEAuQPE
fgmVtjL0Uyyx88GZFF1fOunH3+7cepKmtH4pxhtCoHqpWmT8YAmZxaewHgHAjLYs
p1ZSe7zFYHj7C6ul7TjeLQeZD/YwD66t62wDmpe/HlB+TnBA+njbglfIsRLtXlnD
zQkv5dTltRJ11BKBBypeeF6689rjcJIDEz9RWdcCgYAHAp9XcCSrn8wVkMVkKdb7
DOX4IKjzdahm+ctDAJN4O/y7OW5FKebvUjdAIt2GuoTZ71iTG+7F0F+lP88jtjP4
U4qe7VHoewl4MKOfXZKTe+YCS1XbNvfgwJ3Ltyl1OH9hWvu2yza7q+d5PCsDzqtm
27kxuvULVeya+TEdAB1ijQKBgQCH/3r6YrVH/uCWGy6bzV1nGNOdjKc9tmkfOJmN
54dxdixdpozCQ6U4OxZrsj3FcOhHBsqAHvX2uuYjagqvo3cOj1TRqNocX40omfCC
Mx3bD1yPPf/6TI2XECva/ggqEY2mYzmIiA5LVVmc5nrybr+lssFKneeyxN2Wq93S
0iJMdQKBgCGHewxzoa1r8ZMD0LETNrToK423K377UCYqXfg5XMclbrjPbEC3YI1Z
NqMtuhdBJqUnBi6tjKMF+34Xf0CUN8ncuXGO2CAYvO8PdyCixHX52ybaDjy1FtCE
6yUXjoKNXKvUm7MWGsAYH6f4IegOetN5NvmUMFStCSkh7ixZLkN1
-----END RSA PRIVATE KEY-----`;
const EC = `-----BEGIN EC PRIVATE KEY-----
MHcCAQEEII6bEJ5xkJi/mASH3x9dd+nLKWBuvtImO19XwhPfhPSyoAoGCCqGSM49
AwEHoUQDQgAEf83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEXH8UTNG72b
focs3+257rn0s2ldbqkLJK2KRiMohYjlrQ==
-----END EC PRIVATE KEY-----`;
const SIGNED = {
  HS256: ['eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9', 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'],
  RS256: [
    'eyJhbGciOiJSUzI1NiJ9',
    'cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw',
  ],
  ES256: [
    'eyJhbGciOiJFUzI1NiJ9',
    'DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q',
  ],
} as const;

type Algorithm = JwtMethod['token']['algorithm'];
type Encoding = JwtMethod['token']['key_encoding'];
const keyOf = (algorithm: Algorithm, key_encoding: Encoding, text: string) =>
  signingKey({ algorithm, key_encoding }, text);

/** Verifies independently of our code and of the signing library. */
function holds(algorithm: Algorithm, key: KeyObject, token: string): boolean {
  const [head = '', body = '', mac = ''] = token.split('.');
  const [text, given] = [Buffer.from(`${head}.${body}`), Buffer.from(mac, 'base64url')];
  if (algorithm === 'HS256') return createHmac('sha256', key).update(text).digest().equals(given);
  const dsaEncoding = algorithm === 'ES256' ? ('ieee-p1363' as const) : undefined;
  const opened = { key: createPublicKey(key), ...(dsaEncoding ? { dsaEncoding } : {}) };
  return verify('sha256', text, opened, given);
}

describe('the published keys', () => {
  it.each([
    ['HS256', 'base64', SECRET],
    ['HS256', 'base64', `${SECRET.replaceAll('-', '+').replaceAll('_', '/')}==`],
    ['HS256', 'hex', Buffer.from(SECRET, 'base64url').toString('hex').toUpperCase()],
    ['RS256', 'pem', RSA],
    ['ES256', 'pem', EC],
  ] as const)('%s in %s are parsed, and their tokens are valid', (algorithm, encoding, text) => {
    const [head, mac] = SIGNED[algorithm];
    const key = keyOf(algorithm, encoding, text);
    expect(holds(algorithm, key, `${head}.${PAYLOAD}.${mac}`)).toBe(true);
    expect(holds(algorithm, key, `${head}.${PAYLOAD}.${mac.replace(/^./, 'x')}`)).toBe(false);
  });

  it.each([
    ['RS256', 'PKCS#1', RSA],
    ['RS256', 'PKCS#8', keyOf('RS256', 'pem', RSA).export({ format: 'pem', type: 'pkcs8' }).toString()],
    ['RS256', 'one line of a JSON file', JSON.stringify(RSA).slice(1, -1)],
    ['RS256', 'lines that end as on Windows', RSA.replaceAll('\n', '\r\n')],
    ['ES256', 'SEC1', EC],
    ['ES256', 'PKCS#8', keyOf('ES256', 'pem', EC).export({ format: 'pem', type: 'pkcs8' }).toString()],
  ] as const)('%s in %s are the same key', (algorithm, _, text) => {
    expect(keyOf(algorithm, 'pem', text).equals(keyOf(algorithm, 'pem', algorithm === 'RS256' ? RSA : EC))).toBe(true);
  });

  it('RS256 produces the published signature', () => {
    const [head, mac] = SIGNED.RS256;
    expect(sign('sha256', Buffer.from(`${head}.${PAYLOAD}`), keyOf('RS256', 'pem', RSA)).toString('base64url')).toBe(
      mac,
    );
  });
});

const pem = (pair: { privateKey: KeyObject; publicKey: KeyObject }) =>
  pair.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
const encrypted = { format: 'pem', cipher: 'aes-256-cbc', passphrase: 'p' } as const;

it.each<[string, Algorithm, Encoding, string]>([
  ['expected a private key in PEM', 'RS256', 'pem', 'not a key'],
  ['expected only the private key of that JSON file', 'RS256', 'pem', '{"private_key": 1}'],
  ['this one is damaged or incomplete', 'RS256', 'pem', RSA.slice(0, 900)],
  ['this one is damaged or incomplete', 'RS256', 'pem', RSA.replace('MIIE', 'MIIA')],
  ['this one is damaged or incomplete', 'ES256', 'pem', EC.replace('MHcC', '!!!!')],
  [
    'without a passphrase',
    'RS256',
    'pem',
    keyOf('RS256', 'pem', RSA)
      .export({ ...encrypted, type: 'pkcs8' })
      .toString(),
  ],
  [
    'without a passphrase',
    'RS256',
    'pem',
    keyOf('RS256', 'pem', RSA)
      .export({ ...encrypted, type: 'pkcs1' })
      .toString(),
  ],
  [
    'expected a private key; this is a public key',
    'ES256',
    'pem',
    createPublicKey(EC).export({ format: 'pem', type: 'spki' }).toString(),
  ],
  ['this is a certificate', 'RS256', 'pem', '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----'],
  ['the format of OpenSSH', 'RS256', 'pem', '-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl\n-----END'],
  ['expected an RSA key for RS256, not one of the kind ec', 'RS256', 'pem', EC],
  ['expected an EC key for ES256, not one of the kind rsa', 'ES256', 'pem', RSA],
  ['expected an RSA key for RS256, not one of the kind ed25519', 'RS256', 'pem', pem(generateKeyPairSync('ed25519'))],
  [
    'expected a key on the curve P-256 for ES256, not secp384r1',
    'ES256',
    'pem',
    pem(generateKeyPairSync('ec', { namedCurve: 'secp384r1' })),
  ],
  [
    'expected an RSA key of 2048 to 8192 bits, not 1024',
    'RS256',
    'pem',
    pem(generateKeyPairSync('rsa', { modulusLength: 1024 })),
  ],
  ['expected a key that is not empty', 'HS256', 'utf8', ''],
  ['expected a key that is not empty', 'HS256', 'base64', '=='],
  ['expected hexadecimal digits', 'HS256', 'hex', 'abc'],
  ['expected hexadecimal digits', 'HS256', 'hex', 'zz'],
  ['expected base64', 'HS256', 'base64', 'a b!'],
  ['expected base64', 'HS256', 'base64', 'abcde'],
])('a key is rejected with "%s"', (message, algorithm, encoding, text) => {
  expect(() => keyOf(algorithm, encoding, text)).toThrow(message);
});

describe('a token', () => {
  const method = (algorithm: Algorithm, change: Partial<JwtMethod['token']> = {}): JwtMethod => ({
    method: 'JWT',
    fields: [],
    token: {
      algorithm,
      key: '{key}',
      key_encoding: algorithm === 'HS256' ? 'base64' : 'pem',
      header: { kid: '{kid}' },
      claims: { iss: '{issuer}', aud: 'appstoreconnect-v1' },
      lives_seconds: 600,
      ...change,
    },
    exchange: null,
    put: [],
  });
  const read = (token: string) =>
    token
      .split('.')
      .slice(0, 2)
      .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>);
  const nowSeconds = () => Math.floor(Date.now() / 1000);

  it.each([
    ['HS256', SECRET],
    ['RS256', RSA],
    ['ES256', EC],
  ] as const)(
    'signed with %s has filled header and claims, and lives from half a minute ago',
    async (algorithm, key) => {
      const before = nowSeconds();
      const definition = method(algorithm);
      const { token, untilMs } = await tokenFor('connection', definition, { key, kid: 'K1', issuer: 'me' });
      const [head, claims] = read(token);
      expect(holds(algorithm, keyOf(algorithm, definition.token.key_encoding, key), token)).toBe(true);
      expect(head).toEqual({ alg: algorithm, typ: 'JWT', kid: 'K1' });
      expect(claims).toEqual({
        iss: 'me',
        aud: 'appstoreconnect-v1',
        iat: expect.any(Number),
        exp: expect.any(Number),
      });
      const iat = Number(claims?.['iat']);
      expect(iat).toBeGreaterThanOrEqual(before - 30);
      expect(iat).toBeLessThanOrEqual(nowSeconds() - 30);
      expect(claims?.['exp']).toBe(iat + 600);
      expect(untilMs).toBe((iat + 600 - 60) * 1000);
    },
  );

  it('is cached until shortly before its expiry, per key, owner and definition', async () => {
    const fields = { key: EC, kid: 'K1', issuer: 'me' };
    const one = await tokenFor('a', method('ES256'), fields);
    expect(await tokenFor('a', method('ES256'), { ...fields })).toBe(one);
    const others = [
      await tokenFor('b', method('ES256'), fields),
      await tokenFor('a', method('ES256'), { ...fields, kid: 'K2' }),
      await tokenFor('a', method('ES256', { claims: {} }), fields),
    ];
    expect(new Set([one, ...others].map(({ token }) => token)).size).toBe(4);
    const short = method('ES256', { lives_seconds: 60 });
    expect((await tokenFor('a', short, fields)).token).not.toBe((await tokenFor('a', short, fields)).token);
  });

  it('for an exchange contains its scopes and a unique ID', async () => {
    const exchange = { url: '', style: 'rfc7523', scopes: ['a', 'b'], token_name: '', capture: {} } as const;
    const definition: JwtMethod = { ...method('HS256'), exchange: { ...exchange, scopes: ['a', 'b'] } };
    const fields = { key: SECRET, kid: 'K1', issuer: 'me' };
    const ids = [await assertionFor(definition, fields), await assertionFor(definition, fields)].map((token) => {
      const [, claims] = read(token);
      expect(claims).toMatchObject({ iss: 'me', scope: 'a b' });
      return claims?.['jti'];
    });
    expect(new Set(ids).size).toBe(2);
  });

  it('does not let templates override its algorithm or expiry', async () => {
    const sly = method('HS256', { header: { alg: 'none' }, claims: { exp: '99999999999', iat: '0' } });
    const [head, claims] = read((await tokenFor('a', sly, { key: SECRET })).token);
    expect(head?.['alg']).toBe('HS256');
    expect(claims?.['exp']).toBeLessThan(nowSeconds() + 600);
  });
});
