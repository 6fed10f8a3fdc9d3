import { describe, expect, test } from 'vitest';
import { readQuery } from '../../contract/search/search-query.ts';
import { asTyped, hostSearch } from './search-as-typed.ts';

describe('the search for a partially typed query', () => {
  test.each([
    ['"fetch', '"fetch"'],
    ['"const ', '"const "'],
    ['/fetch\\(', '/fetch\\(/'],
    ['/fetch\\', '/fetch/'],
    ['/https:\\/', '/https:\\//'],
    ['"a\\"', '"a\\""'],
    ['"a\\\\', '"a\\\\"'],
    ['path:lib/ "a b', 'path:lib/ "a b"'],
    ['"a path:b c', '"a path:b c"'],
    ['  /x', '  /x/'],
    ['"a" OR "b', '"a" OR "b"'],
    ['"a" -("b" OR "c', '"a" -("b" OR "c"'],
  ])('%s as if it were closed', (typed, asked) => {
    expect(asTyped(typed).asked).toBe(asked);
    expect(readQuery(asked).mode).not.toBe('ranked');
  });

  test.each([
    ['"x" path:', '"x"'],
    ['/x/ path:', '/x/'],
    ['/x/ path:lib/ -runtime:', '/x/ path:lib/'],
    ['"a" OR "b" lang:', '"a" OR "b"'],
    ['"x" path:"my fi', '"x" path:"my fi"'],
  ])('%s without the filter that begins, or with what there is of it', (typed, asked) =>
    expect(asTyped(typed)).toEqual({ asked }),
  );

  test.each([
    'order sync',
    '',
    '"x"',
    '"x" p',
    '"a" OR',
    '/a+/ path:lib/',
    '/api/orders',
    '"a" b',
    'order "fetch',
    'path:lib/',
  ])('%s as it is', (typed) => expect(asTyped(typed)).toEqual({ asked: typed }));

  test.each(['"', '/', 'path:lib/ "', '/\\'])('%s not at all', (typed) => expect(asTyped(typed).asked).toBe(''));

  test('reports the position of the unclosed delimiter', () => {
    expect(asTyped('path:lib/ "a').open).toBe(10);
    expect(asTyped('"a" OR "b').open).toBe(7);
    expect(asTyped('"a"').open).toBeUndefined();
  });
});

describe('a host', () => {
  test.each([
    ['api.stripe.com', '"api.stripe.com"'],
    [' https://api.stripe.com/v1/charges ', '"api.stripe.com/v1/charges"'],
    ['HTTP://Example.dev/', '"Example.dev"'],
    ['hooks.acme.io:8443/in', '"hooks.acme.io:8443/in"'],
    ['https://a.internal/"x"', '"a.internal/\\"x\\""'],
  ])('%s is searched for in code literally', (typed, asked) => {
    expect(hostSearch(typed)).toBe(asked);
    expect(readQuery(asked).mode).toBe('literal');
  });

  test.each(['order.created', 'score.ts', 'lib/score.ts', 'orders', 'a b.com', '"api.stripe.com"', '1.2', ''])(
    '%s is none',
    (typed) => expect(hostSearch(typed)).toBeUndefined(),
  );
});
