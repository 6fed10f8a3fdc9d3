/** Vectors of the AWS Signature Version 4 test suite, and the examples of the S3 documentation. */
import { describe, expect, it } from 'vitest';
import { authorize, canonicalRequest, SIGV4_HEADERS, type SigV4Request, signed, UNSIGNED } from './sigv4.ts';

const SUITE = {
  keys: {
    access_key_id: 'AKIDEXAMPLE',
    secret_access_key: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
    session_token: null,
  },
  scope: { region: 'us-east-1', service: 'service' },
  time: '20150830T123600Z',
};
const S3 = {
  keys: {
    access_key_id: 'AKIAIOSFODNN7EXAMPLE',
    secret_access_key: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    session_token: null,
  },
  scope: { region: 'us-east-1', service: 's3' },
};
const TOKEN =
  'AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicRXmxfpSPfIeoIYRqTflfKD8YUuwthAx7mSEI/qkPpKPi/kMcGdQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KPkyQDYwT7WZ0wq5VSXDvp75YU9HFvlRd8Tx6q6fE8YQcHNVXAkiY9q6d+xo0rKwT38xVqr7ZD0u0iPPkUL64lIZbqBAz+scqKmlzm8FDrypNC9Yjc8fPOLn9FX9KSYvKTr4rvx3iSIlTJabIQwj2ICCR/oLxBA==';
const FORM = 'application/x-www-form-urlencoded';
const UNRESERVED = '-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ODD = `${encodeURIComponent('@#$%^')}=&%2B=${encodeURIComponent('/,?><`";:\\|][{}')}`;

type Vector = [name: string, method: string, path: string, headers: string[], body: string | null, signature: string];
const VECTORS: Vector[] = [
  ['get-vanilla', 'GET', '/', [], null, '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31'],
  [
    'get-header-key-duplicate',
    'GET',
    '/',
    ['My-Header1', 'value2', 'my-header1', 'value2', 'My-Header1', 'value1'],
    null,
    'c9d5ea9f3f72853aea855b47ea873832890dbdd183b4468f858259531a5138ea',
  ],
  [
    'get-header-value-order',
    'GET',
    '/',
    ['My-Header1', 'value4', 'My-Header1', 'value1', 'My-Header1', 'value3', 'My-Header1', 'value2'],
    null,
    '08c7e5a9acfcfeb3ab6b2185e75ce8b1deb5e634ec47601a50643f830c755c01',
  ],
  [
    'get-header-value-trim',
    'GET',
    '/',
    ['My-Header1', ' value1', 'My-Header2', ' "a   b   c"'],
    null,
    'acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736',
  ],
  [
    'get-unreserved',
    'GET',
    `/${UNRESERVED}`,
    [],
    null,
    '07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f',
  ],
  ['get-utf8', 'GET', '/ሴ', [], null, '8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85'],
  [
    'get-vanilla-query-order-key-case',
    'GET',
    '/?Param2=value2&Param1=value1',
    [],
    null,
    'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
  ],
  [
    'get-vanilla-query-unreserved',
    'GET',
    `/?${UNRESERVED}=${UNRESERVED}`,
    [],
    null,
    '9c3e54bfcdf0b19771a7f523ee5669cdf59bc7cc0884027167c21bb143a40197',
  ],
  [
    'get-vanilla-utf8-query',
    'GET',
    '/?ሴ=bar',
    [],
    null,
    '2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04',
  ],
  ['post-vanilla', 'post', '/', [], null, '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b'],
  [
    'post-header-value-case',
    'POST',
    '/',
    ['MY-HEADER1', 'VALUE1'],
    null,
    'cdbc9802e29d2942e5e10b5bccfdd67c5f22c7c4e8ae67b53629efa58b974b7d',
  ],
  [
    'post-sts-header-before',
    'POST',
    '/',
    ['X-Amz-Security-Token', TOKEN],
    null,
    '85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead',
  ],
  [
    'post-vanilla-query',
    'POST',
    '/?Param1=value1',
    [],
    null,
    '28038455d6de14eafc1f9222cf5aa6f1a96197d7deb8263271d420d138af7f11',
  ],
  [
    'post-vanilla-query-nonunreserved',
    'POST',
    `/?${ODD}`,
    [],
    null,
    '66c82657c86e26fb25238d0e69f011edc4c6df5ae71119d7cb98ed9b87393c1e',
  ],
  [
    'post-vanilla-query-space',
    'POST',
    '/?p=',
    [],
    null,
    'e71688addb58a26418614085fb730ba3faa623b461c17f48f2fbdb9361b94a9b',
  ],
  [
    'post-x-www-form-urlencoded',
    'POST',
    '/',
    ['Content-Type', FORM],
    'Param1=value1',
    'ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a',
  ],
];
const MORE_S3: Vector[] = [
  [
    'GET Object',
    'GET',
    '/test.txt',
    ['Range', 'bytes=0-9'],
    null,
    'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  ],
  [
    'PUT Object',
    'PUT',
    '/test$file.text',
    ['Date', 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class', 'REDUCED_REDUNDANCY'],
    'Welcome to Amazon S3.',
    '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  ],
  [
    'GET Bucket Lifecycle',
    'GET',
    '/?lifecycle',
    [],
    null,
    'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  ],
  [
    'GET Bucket (List Objects)',
    'GET',
    '/?max-keys=2&prefix=J',
    [],
    null,
    '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  ],
];
const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const WELCOME = '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072';

describe('the signature', () => {
  it.each(VECTORS)('is that of the test suite: %s', (_name, method, path, headers, body, signature) => {
    const url = `https://example.amazonaws.com${path}`;
    const request = { method, url, headers: [...headers, 'X-Amz-Date', SUITE.time], body };
    expect(authorize(SUITE.keys, SUITE.scope, request, SUITE.time)).toMatch(new RegExp(`, Signature=${signature}$`));
  });

  it.each(MORE_S3)('is that of the S3 documentation: %s', (_name, method, path, headers, body, signature) => {
    const time = '20130524T000000Z';
    const request = {
      method,
      url: `https://examplebucket.s3.amazonaws.com${path}`,
      headers: [...headers, 'X-Amz-Content-Sha256', body === null ? EMPTY : WELCOME, 'X-Amz-Date', time],
      body: body === null ? null : Buffer.from(body),
    };
    expect(authorize(S3.keys, S3.scope, request, time)).toMatch(new RegExp(`, Signature=${signature}$`));
  });
});

describe('the headers of a request', () => {
  const request: SigV4Request = {
    method: 'POST',
    url: 'https://sqs.eu-central-1.amazonaws.com:443/',
    headers: [
      'User-Agent',
      'test',
      'Content-Type',
      'application/x-amz-json-1.0',
      'X-Amz-Target',
      'AmazonSQS.SendMessage',
    ],
    body: '{}',
  };
  const named = (flat: string[]) =>
    Object.fromEntries(flat.flatMap((name, i) => (i % 2 === 0 ? [[name.toLowerCase(), flat[i + 1]]] : [])));

  it('sign the content type and every x-amz header, and no header that a proxy may change', () => {
    const headers = named(signed(SUITE.keys, { region: 'eu-central-1', service: 'sqs' }, request, new Date(0)));
    expect(headers['x-amz-date']).toBe('19700101T000000Z');
    expect(headers['authorization']).toContain('Credential=AKIDEXAMPLE/19700101/eu-central-1/sqs/aws4_request, ');
    expect(headers['authorization']).toContain('SignedHeaders=content-type;host;x-amz-date;x-amz-target, ');
    expect(Object.keys(headers)).toEqual(['x-amz-date', 'authorization']);
  });

  it('contain the session token and, for S3, the hash of the body', () => {
    const keys = { ...S3.keys, session_token: 'temporary' };
    const headers = named(signed(keys, S3.scope, { ...request, body: UNSIGNED }));
    expect(headers).toMatchObject({
      'x-amz-security-token': 'temporary',
      'x-amz-content-sha256': 'UNSIGNED-PAYLOAD',
      authorization: expect.stringContaining(
        'SignedHeaders=content-type;host;x-amz-content-sha256;x-amz-date;x-amz-security-token;x-amz-target, ',
      ),
    });
    expect(Object.keys(headers).sort()).toEqual([...SIGV4_HEADERS].sort());
  });
});

describe('the canonical request', () => {
  const pathOf = (path: string, service: string) =>
    canonicalRequest({ method: 'GET', url: `http://h:8080${path}`, headers: [], body: null }, service)[0].split(
      '\n',
    )[1];
  it('encodes the sent path once more, except for S3', () => {
    expect(pathOf('/2015-03-31/functions/a%20b', 'lambda')).toBe('/2015-03-31/functions/a%2520b');
    expect(pathOf('/bucket/a%20b$c/', 's3')).toBe('/bucket/a%20b%24c/');
    expect(pathOf('', 'lambda')).toBe('/');
  });
  it('has no segments of dots and no empty segments, except for S3', () => {
    expect(pathOf('/a/./b/../c//d/', 'service')).toBe('/a/c/d/');
    expect(pathOf('/..', 'service')).toBe('/');
    expect(pathOf('/b/a//../c', 's3')).toBe('/b/a//../c');
  });
  it('has the host with a port that is not the usual one', () => {
    const [text] = canonicalRequest(
      { method: 'GET', url: 'http://H:8080/?a=1+2&a=%7e', headers: [], body: null },
      's3',
    );
    expect(text).toContain('\nhost:h:8080\n');
    expect(text.split('\n')[2]).toBe('a=1%202&a=~');
  });
});
