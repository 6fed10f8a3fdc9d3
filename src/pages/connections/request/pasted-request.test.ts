import { describe, expect, it } from 'vitest';
import { type Addresses, readPasted } from './pasted-request.ts';
import { shellWords } from './shell-words.ts';

const ADDRESSES: Addresses = {
  appUrl: 'https://api.example.com',
  apiUrl: 'http://localhost:4400/api',
  app: 'shop',
  gatewayDomain: 'gw.localhost:4400',
};
const read = (text: string, more: Partial<Addresses> = {}) => readPasted(text, { ...ADDRESSES, ...more });
const changeOf = (text: string) => read(text)?.change;

describe('a pasted URL', () => {
  it.each([
    ['https://api.example.com/v1/items?limit=2#top', '/v1/items?limit=2'],
    ['https://api.example.com', '/'],
    ['https://api.example.com/a/../b', '/a/../b'],
    ['http://localhost:4400/api/shop/v1/items', '/v1/items'],
    ['http://localhost:4400/api/shop?a=1', '/?a=1'],
    ['http://shop.gw.localhost:4400/v1/items', '/v1/items'],
  ])('%s is the path %s', (text, path) => {
    expect(read(text)).toEqual({ change: { path }, leftOut: [] });
  });

  it('has the path below that of the base URL, and any host where it differs by connection', () => {
    expect(read('https://api.example.com/rest/v1/x', { appUrl: 'https://api.example.com/rest/' })).toMatchObject({
      change: { path: '/v1/x' },
      leftOut: [],
    });
    expect(read('https://ada.example.net/v1', { appUrl: 'https://{shop}.example.net' })?.leftOut).toEqual([]);
    expect(read('https://ada.other.net/v1', { appUrl: 'https://{shop}.example.net' })?.leftOut).toEqual([
      'the host ada.other.net, which is not the app’s',
    ]);
  });

  it.each(['/v1/items', 'v1/items', 'https://', 'https://a b', 'curlew/1', 'http://[', ''])('%j is none', (text) => {
    expect(read(text)).toBeUndefined();
  });
});

describe('a pasted curl command', () => {
  it('has method, headers and JSON', () => {
    const text = `$ curl -sSL -X POST 'https://api.example.com/v1/items' \\
  -H 'Authorization: Bearer secret' -H "X-Tag: a \\"b\\"" \\
  --header='Content-Type: application/json' \\
  --data-raw $'{"name": "it\\'s \\u00e4"}' | jq .`;
    expect(read(text)).toEqual({
      change: {
        method: 'POST',
        path: '/v1/items',
        headers: [{ name: 'X-Tag', value: 'a "b"' }],
        kind: 'json',
        text: '{"name": "it\'s ä"}',
        form: [],
      },
      leftOut: ['the header Authorization'],
    });
  });

  it('is a GET without a body, and a POST with one', () => {
    expect(changeOf('curl api.example.com/v1')).toMatchObject({ method: 'GET', path: '/v1', kind: 'none' });
    expect(changeOf('curl https://api.example.com/v1 -d a=1 -d b=%20')).toMatchObject({
      method: 'POST',
      kind: 'form',
      form: [
        { name: 'a', value: '1' },
        { name: 'b', value: ' ' },
      ],
    });
    expect(changeOf('curl -XPUT https://api.example.com/v1 --json {}')).toMatchObject({ method: 'PUT', kind: 'json' });
    expect(changeOf('curl -I https://api.example.com/v1')).toMatchObject({ method: 'HEAD' });
  });

  it('has the data in the query with -G', () => {
    const text = 'curl -G https://api.example.com/v1?a=1 --data-urlencode "q=x y" -d limit=2';
    expect(changeOf(text)).toMatchObject({ method: 'GET', path: '/v1?a=1&q=x%20y&limit=2', kind: 'none' });
  });

  it('says what is left out', () => {
    const text = 'curl -u ada:secret -T x.png -d @body.json -b "a=1" -o out.json https://api.example.com/v1';
    expect(read(text)?.leftOut).toEqual([
      'the header Cookie',
      'the credentials: those of the connection are sent',
      'the file x.png',
      'the body: it is in the file body.json',
    ]);
  });

  it('has the parts of a form, without the content of files', () => {
    const text =
      "curl https://api.example.com/v1 -H 'Content-Type: multipart/form-data' -F 'title=a=b;type=text/plain' --form-string at=@home -F 'image=@\"x y.png\";type=image/png' -F '=none' -F lost";
    expect(read(text)).toMatchObject({
      change: {
        method: 'POST',
        headers: [],
        kind: 'multipart',
        parts: [
          { name: 'title', value: 'a=b' },
          { name: 'at', value: '@home' },
          { name: 'image', value: '' },
          { name: '', value: 'none' },
        ],
      },
      leftOut: ['the file x y.png of the part image'],
    });
  });

  it('with other content types has the text and the header', () => {
    const text = "curl https://api.example.com/v1 -H 'content-type: text/csv' --data-binary 'a;b'";
    expect(changeOf(text)).toMatchObject({
      kind: 'text',
      text: 'a;b',
      headers: [{ name: 'content-type', value: 'text/csv' }],
    });
  });

  it.each(['curl', 'curl -X', "curl 'https://api.example.com", 'curl -H a:b', `curl ${'x '.repeat(600_000)}`])(
    '%.40s fills nothing in',
    (text) => {
      expect(read(text)).toBeUndefined();
    },
  );
});

describe('the words of a command', () => {
  it.each<[string, string[] | undefined]>([
    ['a  b\tc', ['a', 'b', 'c']],
    [`'a b'"c d"e`, ['a bc de']],
    [`"" ''`, ['', '']],
    ['a\\ b \\\n c', ['a b', 'c']],
    ['a; b', ['a']],
    ['a\nb', ['a']],
    [`$'\\x41\\n\\'' $HOME`, ["A\n'", '$HOME']],
    ['"a', undefined],
    ["$'a", undefined],
  ])('%j', (text, words) => {
    expect(shellWords(text)).toEqual(words);
  });
});
