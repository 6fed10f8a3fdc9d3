import { expect, it } from 'vitest';
import { isUnready, leadsAway, nameOf, pendingLabel, submitLabelOf } from './ways.ts';

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

it('a method is named after its fields or its redirect', () => {
  expect(nameOf(password, 'Acme', [password])).toBe('Account id and Auth token');
  expect(nameOf(signIn, 'Acme', [password, signIn])).toBe('Sign in at Acme');
  const own = way('OAUTH2', false, field('client_id', 'Client id'));
  expect(nameOf(own, 'Acme', [own])).toBe('Client id');
  const exchanged = {
    ...way('OAUTH2', true, field('subject_token', 'Subject token')),
    grant: 'token_exchange' as const,
  };
  expect([nameOf(exchanged, 'Acme', [exchanged]), leadsAway(exchanged)]).toEqual(['Subject token', false]);
  expect(submitLabelOf(password, 'Acme', false)).toBe('Connect');
  expect(submitLabelOf(signIn, 'Acme', false)).toBe('Continue to Acme');
  expect(submitLabelOf(signIn, 'Acme', true)).toBe('Try again');
  expect(submitLabelOf(signIn, 'A name that fills the whole button', false)).toBe('Continue');
  expect([pendingLabel(signIn, 'Acme'), pendingLabel(password, 'Acme')]).toEqual([
    'Redirecting to Acme…',
    'Connecting…',
  ]);
});

it('fields common to all methods are not part of a name', () => {
  const shop = field('shop', 'Shop');
  const key = way('BASIC', false, shop, field('key', 'Key'));
  const token = way('MCP', false, shop, field('token', 'Token'));
  expect([key, token].map((each) => nameOf(each, 'Acme', [key, token, signIn]))).toEqual(['Key', 'Token']);
  expect(nameOf(key, 'Acme', [key, signIn])).toBe('Shop and Key');
});

it('an MCP server may redirect, unless it takes a token', () => {
  expect(leadsAway(way('MCP', false))).toBe(true);
  expect(leadsAway(way('MCP', false, field('token', 'Token')))).toBe(false);
});

it('a method is unready only if its client is missing', () => {
  expect(isUnready({ ...signIn, has_client: false })).toBe(true);
  expect(isUnready({ ...password, has_client: false })).toBe(false);
});
