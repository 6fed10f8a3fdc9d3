import { expect, it } from 'vitest';
import { emailAddress, readMailUrl, writeMailUrl } from './mail-url.ts';

it('reads addresses and a subject', () => {
  const url = readMailUrl(
    'mailto:ops@example.com,%C3%BC+x@b%C3%BCcher.example,ops@example.com?subject=a%20%7B%7Bsource%7D%7D+b',
  );
  expect(url).toMatchObject({ to: ['ops@example.com', 'ü+x@bücher.example'] });
  expect(url).toMatchObject({ subject: [{ text: 'a ' }, { path: ['source'] }, { text: '+b' }] });
  expect(readMailUrl('MAILTO:ops@localhost')).toEqual({ to: ['ops@localhost'], subject: undefined });
  expect(readMailUrl(writeMailUrl('a@b.c, d@e.f', 'x & {{ source }}'))).toMatchObject({
    to: ['a@b.c', 'd@e.f'],
    subject: [{ text: 'x & ' }, { path: ['source'] }],
  });
});

it.each([
  ['mailto:', 'expected email addresses'],
  ['mailto:ops', 'expected email addresses'],
  ['mailto:ops@example.com,', 'expected email addresses'],
  ['mailto:ops@example.com%0D%0ABcc:x@example.com', 'expected email addresses'],
  ['mailto:ops@example.com%0A', 'expected email addresses'],
  ['mailto:%22a%22@example.com', 'expected email addresses'],
  ['mailto:a%20b@example.com', 'expected email addresses'],
  ['mailto:a%2Cb@example.com', 'expected email addresses'],
  ['mailto:Ops%20%3Cops@example.com%3E', 'expected email addresses'],
  ['mailto:a@-example.com', 'expected email addresses'],
  ['mailto:a@exa_mple.com', 'expected email addresses'],
  ['mailto:a@b.c%E0%A4', 'expected email addresses'],
  ['mailto:a@b.c?subject=x%0AFrom:y', 'subject: expected text in one line'],
  ['mailto:a@b.c?subject=x%E2%80%A8y', 'subject: expected text in one line'],
  ['mailto:a@b.c?subject=100%', 'subject: expected text in one line'],
  ['mailto:a@b.c?subject={{', 'subject: position 1'],
  ['mailto:a@b.c?subject=a&subject=b', 'expected one subject='],
  ['mailto:a@b.c?bcc=x@example.com', 'expected one subject='],
  [`mailto:a@b.c?subject=${'x'.repeat(501)}`, 'subject: expected at most 500'],
  [`mailto:${Array.from({ length: 21 }, (_, i) => `a${i}@b.c`).join(',')}`, 'expected at most 20'],
])('rejects %s', (url, message) => {
  expect(readMailUrl(url)).toContain(message);
});

it('an address has no quotes, spaces or line breaks', () => {
  expect(emailAddress(' ops@example.com ')).toBe('ops@example.com');
  for (const text of ['', '@', 'a@', '@b', 'a b@c', 'a@b c', 'a\n@b', 'a@b\u0000', '<a@b>', 'a@b@c', 'a@b..c', 'a@b.'])
    expect(emailAddress(text), text).toBeUndefined();
});
