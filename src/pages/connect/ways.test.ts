import { expect, it } from 'vitest';
import { doingOf, isUnready, leadsAway, nameOf, verbOf } from './ways.ts';

const field = (name: string, label: string) => ({
  name,
  label,
  type: 'text' as const,
  secret: false,
  required: true,
  pattern: null,
  help: null,
});
const way = (method: 'BASIC' | 'OAUTH2' | 'MCP', needs_client: boolean, ...fields: ReturnType<typeof field>[]) => ({
  method,
  fields,
  needs_client,
  has_client: true,
});
const password = way('BASIC', false, field('username', 'Account id'), field('password', 'Auth token'));
const signIn = way('OAUTH2', true, field('shop', 'Shop'));

it('a way is called by what it asks for, or by where it leads', () => {
  expect(nameOf(password, 'Acme', [password])).toBe('Account id and Auth token');
  expect(nameOf(signIn, 'Acme', [password, signIn])).toBe('Sign in at Acme');
  const own = way('OAUTH2', false, field('client_id', 'Client id'));
  expect(nameOf(own, 'Acme', [own])).toBe('Client id');
  expect(verbOf(password, 'Acme', false)).toBe('Connect');
  expect(verbOf(signIn, 'Acme', false)).toBe('Continue to Acme');
  expect(verbOf(signIn, 'Acme', true)).toBe('Try again');
  expect(verbOf(signIn, 'A name that fills the whole button', false)).toBe('Continue');
  expect([doingOf(signIn, 'Acme'), doingOf(password, 'Acme')]).toEqual(['Redirecting to Acme…', 'Connecting…']);
});

it('what every way asks for is in no name', () => {
  const shop = field('shop', 'Shop');
  const key = way('BASIC', false, shop, field('key', 'Key'));
  const token = way('MCP', false, shop, field('token', 'Token'));
  expect([key, token].map((each) => nameOf(each, 'Acme', [key, token, signIn]))).toEqual(['Key', 'Token']);
  expect(nameOf(key, 'Acme', [key, signIn])).toBe('Shop and Key');
});

it('a server of tools may have a page to agree on, unless its token is asked for', () => {
  expect(leadsAway(way('MCP', false))).toBe(true);
  expect(leadsAway(way('MCP', false, field('token', 'Token')))).toBe(false);
});

it('a way waits for the client it needs, and for no other', () => {
  expect(isUnready({ ...signIn, has_client: false })).toBe(true);
  expect(isUnready({ ...password, has_client: false })).toBe(false);
});
