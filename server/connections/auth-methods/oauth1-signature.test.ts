import { describe, expect, it } from 'vitest';
import { authorization, baseString, type OAuth1Keys, sign } from './oauth1-signature.ts';

type Pair = [string, string];
const client = { client_id: 'dpf43f3p2l4k3l03', client_secret: 'kd94hf93k423kf44' };
const noToken: OAuth1Keys = { ...client, token: null, token_secret: '' };
const get = (url: string) => ({ method: 'GET', url, form: null });
const post = (url: string, form: string | null = null) => ({ method: 'POST', url, form });

describe('the published examples', () => {
  const protocol = (timestamp: string, nonce: string, more: Pair[]): Pair[] => [
    ['oauth_consumer_key', client.client_id],
    ['oauth_signature_method', 'HMAC-SHA1'],
    ['oauth_timestamp', timestamp],
    ['oauth_nonce', nonce],
    ...more,
  ];

  it('RFC 5849, 1.2: temporary credentials', () => {
    const params = protocol('137131200', 'wIjqoS', [['oauth_callback', 'http://printer.example.com/ready']]);
    const request = post('https://photos.example.net/initiate');
    expect(sign(noToken, 'HMAC-SHA1', request, params)).toBe('74KNZJeDHnMBp0EMJ9ZHt/XKycU=');
  });

  it('RFC 5849, 1.2: token credentials', () => {
    const keys = { ...client, token: 'hh5s93j4hdidpola', token_secret: 'hdhd0244k9j7ao03' };
    const params = protocol('137131201', 'walatlh', [
      ['oauth_token', keys.token],
      ['oauth_verifier', 'hfdp7dh39dks9884'],
    ]);
    const request = post('https://photos.example.net/token');
    expect(sign(keys, 'HMAC-SHA1', request, params)).toBe('gKgrFCywp7rO0OXSjdot/IHF7IU=');
  });

  it('RFC 5849, 1.2: the photo', () => {
    const keys = { ...client, token: 'nnch734d00sl2jdk', token_secret: 'pfkkdhi9sl3r4s00' };
    const params = protocol('137131202', 'chapoH', [['oauth_token', keys.token]]);
    const request = get('http://photos.example.net/photos?file=vacation.jpg&size=original');
    expect(sign(keys, 'HMAC-SHA1', request, params)).toBe('MdpQcU8iPSUjWoN/UDMsK2sui9I=');
  });

  it('RFC 5849, 3.4.1: a query and a form with repeated and encoded parameters', () => {
    const params: Pair[] = [
      ['oauth_consumer_key', '9djdj82h48djs9d2'],
      ['oauth_token', 'kkk9d7dh3k39sjv7'],
      ['oauth_signature_method', 'HMAC-SHA1'],
      ['oauth_timestamp', '137131201'],
      ['oauth_nonce', '7d8f3e4a'],
    ];
    const request = post('http://example.com/request?b5=%3D%253D&a3=a&c%40=&a2=r%20b', 'c2&a3=2+q');
    expect(baseString(request, params)).toBe(
      'POST&http%3A%2F%2Fexample.com%2Frequest&a2%3Dr%2520b%26a3%3D2%2520q%26a3%3Da%26b5%3D%253D%25253D%26c%2540' +
        '%3D%26c2%3D%26oauth_consumer_key%3D9djdj82h48djs9d2%26oauth_nonce%3D7d8f3e4a%26oauth_signature_method' +
        '%3DHMAC-SHA1%26oauth_timestamp%3D137131201%26oauth_token%3Dkkk9d7dh3k39sjv7',
    );
  });

  it.each([
    ['http://EXAMPLE.COM:80/r%20v/X?id=123', 'http%3A%2F%2Fexample.com%2Fr%2520v%2FX&id%3D123'],
    ['https://www.example.net:8080/?q=1', 'https%3A%2F%2Fwww.example.net%3A8080%2F&q%3D1'],
    ['HTTPS://Example.com:443', 'https%3A%2F%2Fexample.com%2F&'],
    ['http://example.com:443/', 'http%3A%2F%2Fexample.com%3A443%2F&'],
  ])('RFC 5849, 3.4.1.2: the URL %s', (url, expected) => {
    expect(baseString(get(url), [])).toBe(`GET&${expected}`);
  });

  it('the example of the X documentation', () => {
    const keys: OAuth1Keys = {
      client_id: 'xvz1evFS4wEEPTGEFPHBog',
      client_secret: 'kAcSOqF21Fu85e7zjz7ZN2U4ZRhfV3WpwPAoE3Z7kBw',
      token: '370773112-GmHxMAgYyLbNEtIKZeRNFsMKPR9EyMZeS9weJAEb',
      token_secret: 'LswwdoUaIvS8ltyTt5jkRh4J50vUPVVHtR2YPi5kE',
    };
    const params: Pair[] = [
      ['oauth_consumer_key', keys.client_id],
      ['oauth_nonce', 'kYjzVBB8Y0ZFabxSWbWovY3uYSQ2pTgmZeNu2VS4cg'],
      ['oauth_signature_method', 'HMAC-SHA1'],
      ['oauth_timestamp', '1318622958'],
      ['oauth_token', keys.token ?? ''],
      ['oauth_version', '1.0'],
    ];
    const request = post(
      'https://api.twitter.com/1.1/statuses/update.json?include_entities=true',
      'status=Hello%20Ladies%20%2b%20Gentlemen%2c%20a%20signed%20OAuth%20request%21',
    );
    expect(sign(keys, 'HMAC-SHA1', request, params)).toBe('hCtSmYh+iHYCEqBWrE7C7hYmtUk=');
  });
});

describe('the signature base string', () => {
  const normal = (query: string, form: string | null = null) =>
    decodeURIComponent(baseString(post(`http://h/?${query}`, form), []).split('&')[2] ?? '');

  it.each([
    ['q=a+b', 'q=a%20b'],
    ['q=a%2Bb', 'q=a%2Bb'],
    ['b=2&a=2&a=1&b=1', 'a=1&a=2&b=1&b=2'],
    ['a=b=c', 'a=b%3Dc'],
    ['z&a', 'a=&z='],
    ['name=caf%C3%A9', 'name=caf%C3%A9'],
    ['name=caf%e9', 'name=caf%E9'],
    ['name=caf\u00c3\u00a9', 'name=caf%C3%A9'],
    ['x=100%', 'x=100%25'],
    ["x=!*'()~-._", 'x=%21%2A%27%28%29~-._'],
    ['a%3D=1&a=2', 'a=2&a%3D=1'],
  ])('of the query %s is %s', (query, expected) => {
    expect(normal(query)).toBe(expected);
  });

  it('of a form is its text', () => {
    expect(normal('q=1', 'name=café&n=%F0%9F%92%A9')).toBe('n=%F0%9F%92%A9&name=caf%C3%A9&q=1');
  });
});

describe('a header', () => {
  const keys = { client_id: 'id "1"', client_secret: 's&1', token: 't/1', token_secret: 'ü' };
  const read = (header: string) =>
    Object.fromEntries([...header.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]));

  it('has every protocol parameter, encoded, and a separate nonce', () => {
    const request = get('http://127.0.0.1/x');
    const header = authorization(keys, 'HMAC-SHA256', request, [['oauth_callback', 'https://c/']]);
    const params = read(header);
    expect(header).toMatch(/^OAuth oauth_consumer_key="id%20%221%22", /);
    expect(params).toMatchObject({
      oauth_signature_method: 'HMAC-SHA256',
      oauth_token: 't%2F1',
      oauth_version: '1.0',
      oauth_callback: 'https%3A%2F%2Fc%2F',
    });
    const { oauth_signature, ...others } = params;
    const signed = Object.entries(others).map(([name, value]): Pair => [name, decodeURIComponent(value)]);
    expect(decodeURIComponent(oauth_signature ?? '')).toBe(sign(keys, 'HMAC-SHA256', request, signed));
    expect(read(authorization(keys, 'HMAC-SHA256', request))['oauth_nonce']).not.toBe(params['oauth_nonce']);
  });

  it('in plain text is both secrets, encoded', () => {
    expect(sign(keys, 'PLAINTEXT', get('http://h/'), [])).toBe('s%261&%C3%BC');
    expect(read(authorization(keys, 'PLAINTEXT', get('http://h/')))['oauth_signature']).toBe('s%25261%26%25C3%25BC');
  });
});
