import { expect, it } from 'vitest';
import type { HostedFunction } from '../../../api/entities.ts';
import { settingsOf } from './function-settings.ts';
import { changesIn, hostsNamedIn, isAllowed, publicVersionsText, refusedHosts } from './settings-impact.ts';

const fn: HostedFunction = {
  function_id: 'f',
  name: 'one',
  description: '',
  runtime: 'nodejs24.x',
  visibility: 'PUBLIC',
  account_id: 'a',
  account_name: 'A',
  url: 'http://one.fn.localhost',
  star_count: 0,
  view_count: 0,
  created_at: '2026-01-01T00:00:00.000000Z',
  updated_at: '2026-01-01T00:00:00.000000Z',
  version: 1,
  network_policy: 'ALLOW_ALL',
  allowed_hosts: [],
  gateway_policy: 'ALLOW_ALL',
  gateway_grants: [],
  invoke_access: 'ANYONE',
  timeout_seconds: 10,
  starred: false,
};
const now = settingsOf(fn);

it('returns which kinds of change are made', () => {
  expect(changesIn(now, fn)).toEqual([]);
  expect(changesIn({ ...now, description: 'x', timeout_seconds: '3' }, fn)).toEqual([]);
  expect(changesIn({ ...now, name: 'two' }, fn)).toEqual(['renamed']);
  expect(changesIn({ ...now, visibility: 'PRIVATE' }, fn)).toEqual(['hidden', 'closed']);
  expect(changesIn({ ...now, visibility: 'UNLISTED' }, fn)).toEqual(['hidden']);
  expect(changesIn({ ...now, network_policy: 'DENY_ALL' }, fn)).toEqual(['confined']);
  const hidden = { ...fn, visibility: 'PRIVATE', invoke_access: 'KEY' } as const;
  expect(changesIn({ ...settingsOf(hidden), visibility: 'PUBLIC', invoke_access: 'ANYONE' }, hidden)).toEqual([
    'shown',
    'opened',
  ]);
});

it('finds the hosts that the code names, and those that will be blocked', () => {
  const named = hostsNamedIn({
    'a.ts': "fetch('https://api.Stripe.com/v1'); // http://localhost:3000 wss://feed.example.org:8080/x",
    'b.ts': "const base = 'https://' + name + '.dev'; fetch('https://api.stripe.com')",
  });
  expect(named).toEqual(['api.stripe.com', 'feed.example.org']);
  expect(isAllowed('api.stripe.com', ['*.stripe.com'])).toBe(true);
  expect(isAllowed('stripe.com', ['*.stripe.com'])).toBe(false);
  expect(refusedHosts(named, now)).toEqual([]);
  expect(refusedHosts(named, { ...now, network_policy: 'DENY_ALL' })).toEqual(named);
  const listed = { ...now, network_policy: 'ALLOW_LIST' as const, allowed_hosts: '*.stripe.com\nexample.org' };
  expect(refusedHosts(named, listed)).toEqual(['feed.example.org']);
});

it.each([
  [1, 1, 'Other accounts see version 1 and later.'],
  [2, 2, 'Other accounts see version 2 and later; 1 earlier version stays private.'],
  [8, 8, 'Other accounts see version 8 and later; 7 earlier versions stay private.'],
  [5, 8, 'Other accounts see version 5 and versions deployed from now on; 7 other versions stay private.'],
])('of version %i of %i made public, says which versions others see', (serving, all, text) => {
  expect(publicVersionsText(serving, all)).toBe(text);
});
