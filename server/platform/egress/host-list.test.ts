import { describe, expect, it } from 'vitest';
import { inBoth, isListed } from './host-list.ts';

describe('a list of hosts', () => {
  const list = ['api.example.com', '*.example.org', 'db.example.net:5432'];

  it.each([
    ['api.example.com', 443],
    ['API.Example.com', 80],
    ['a.example.org', 443],
    ['a.b.example.org', 443],
    ['db.example.net', 5432],
  ])('includes %s:%i', (host, port) => {
    expect(isListed(list, host, port)).toBe(true);
  });

  it.each([
    ['example.com', 443],
    ['x.api.example.com', 443],
    ['example.org', 443],
    ['badexample.org', 443],
    ['api.example.com.evil.test', 443],
    ['db.example.net', 443],
    ['', 443],
  ])('does not include %s:%i', (host, port) => {
    expect(isListed(list, host, port)).toBe(false);
  });
});

it.each([
  [['api.example.com'], ['api.example.com'], ['api.example.com']],
  [['*.example.com'], ['api.example.com', 'other.test'], ['api.example.com']],
  [['a.b.example.com'], ['*.example.com'], ['a.b.example.com']],
  [['*.b.example.com'], ['*.example.com'], ['*.b.example.com']],
  [['*.example.com'], ['*.example.com'], ['*.example.com']],
  [['*.example.com'], ['example.com'], []],
  [['example.com'], ['*.example.com'], []],
  [['api.example.com:443'], ['*.example.com'], ['api.example.com:443']],
  [['api.example.com'], ['*.example.com:8443'], ['api.example.com:8443']],
  [['api.example.com:443'], ['api.example.com:80'], []],
  [['a.test', 'b.test'], [], []],
])('the hosts in both %j and %j are %j', (one, other, expected) => {
  expect(inBoth(one, other)).toEqual(expected);
  expect(inBoth(other, one)).toEqual(expected);
});
