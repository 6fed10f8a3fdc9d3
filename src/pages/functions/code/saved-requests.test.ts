import { expect, it } from 'vitest';
import { FIRST_REQUEST } from './request.ts';
import { keepable, parsed, withSaved } from './saved-requests.ts';

it('stores no values of headers that look like secrets', () => {
  const headers = 'content-type: text/plain\nAuthorization: Bearer abc\nx-api-key:k\nX-Tag: one: two';
  expect(keepable({ ...FIRST_REQUEST, headers }).headers).toBe(
    'content-type: text/plain\nAuthorization: \nx-api-key: \nX-Tag: one: two',
  );
});

it('stores one request per name, newest first, at most thirty', () => {
  const named = (name: string, path = '/') => ({ name, typed: { ...FIRST_REQUEST, path } });
  const many = Array.from({ length: 30 }, (_, at) => named(`n${at}`));
  const saved = withSaved(withSaved(many, named('new')), named('n3', '/again'));
  expect(saved).toHaveLength(30);
  expect(saved.slice(0, 2)).toEqual([named('n3', '/again'), named('new')]);
});

it('ignores unreadable storage', () => {
  expect(parsed('{')).toEqual({});
  expect(parsed('[1]')).toEqual({ 0: [] });
  const good = { name: 'a', typed: FIRST_REQUEST };
  const bad = [{ name: 'a' }, { name: 1, typed: FIRST_REQUEST }, { name: 'b', typed: { ...FIRST_REQUEST, path: 1 } }];
  expect(parsed(JSON.stringify({ f: [...bad, good] }))).toEqual({ f: [good] });
});
