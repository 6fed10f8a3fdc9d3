import { expect, it } from 'vitest';
import { linesOf, rulesIn } from './rule-lines.ts';

const id = '01a21488-d1cc-73b5-8488-a17110a83274';

it('reads rules from lines, and joins those that differ only by path', () => {
  const text = `GET github /user/repos\nget github /user\n\nANY slack\nPOST,PUT crm via ${id} /contacts/*`;
  expect(rulesIn(text)).toEqual({
    error: null,
    rules: [
      { app: 'github', connection_ids: null, methods: ['GET'], paths: ['/user/repos', '/user'] },
      { app: 'slack', connection_ids: null, methods: null, paths: null },
      { app: 'crm', connection_ids: [id], methods: ['POST', 'PUT'], paths: ['/contacts/*'] },
    ],
  });
});

it('writes what it reads', () => {
  const text = `GET github /user/repos\nGET github /user\nANY slack\nPOST,PUT crm via ${id} /contacts/**`;
  expect(linesOf(rulesIn(text).rules)).toBe(text);
  expect(linesOf(null)).toBe('');
});

it.each(['GET', 'FETCH github /a', 'GET github user', `GET github via x /a`, 'GET github /a b'])(
  'refuses %s',
  (line) => {
    expect(rulesIn(`ANY slack\n${line}`)).toEqual({ rules: null, error: expect.stringMatching(/^Line 2: expected/) });
  },
);
