import { expect, it } from 'vitest';
import { MASK } from '../../../../contract/limits.ts';
import { requestOfCall } from './request-of-call.ts';

type Captured = NonNullable<Parameters<typeof requestOfCall>[0]>;

const captured = (
  headers: [string, string][],
  body: Captured['request']['body'] = { kept: 'NONE', text: null, bytes: 0 },
  method = 'POST',
): Captured => ({ request: { method, path: '/items', headers, body }, response: null });
const whole = (text: string): Captured['request']['body'] => ({ kept: 'WHOLE', text, bytes: text.length });

it('fills the form, without what the gateway and clients add', () => {
  const headers: [string, string][] = [
    ['host', 'api.example.com'],
    ['Content-Type', 'application/json'],
    ['content-length', '9'],
    ['user-agent', 'node'],
    ['X-Trace', 'a'],
    ['Authorization', MASK],
    ['X-Auth-Token', MASK],
  ];
  expect(requestOfCall(captured(headers, whole('{"a": 1 }')))).toEqual({
    headers: [
      { name: 'Content-Type', value: 'application/json' },
      { name: 'X-Trace', value: 'a' },
    ],
    kind: 'json',
    text: '{"a": 1 }',
    form: [],
    masked: ['X-Auth-Token'],
    body: 'whole',
  });
});

it('reads forms and other text', () => {
  const form = captured([['content-type', 'application/x-www-form-urlencoded']], whole('a=1&b=x%20y'));
  expect(requestOfCall(form)).toMatchObject({
    kind: 'form',
    form: [
      { name: 'a', value: '1' },
      { name: 'b', value: 'x y' },
    ],
  });
  expect(requestOfCall(captured([], whole('plain')))).toMatchObject({ kind: 'text', text: 'plain' });
  expect(requestOfCall(captured([], whole('plain'), 'GET'))).toMatchObject({ kind: 'none', text: '' });
});

it('says why the body is not the one that was sent', () => {
  const bodyOf = (body: Captured['request']['body']) => requestOfCall(captured([], body))?.body;
  expect(bodyOf(whole(`{"password":"${MASK}"}`))).toBe('masked');
  expect(bodyOf({ kept: 'TRUNCATED', text: 'x', bytes: 99_999 })).toBe('truncated');
  expect(bodyOf({ kept: 'BINARY', text: null, bytes: 4 })).toBe('binary');
  expect(requestOfCall(null)).toBeUndefined();
});
