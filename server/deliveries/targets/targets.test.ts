import { expect, it } from 'vitest';
import { DESTINATION_SCHEMES } from '../../../contract/states.ts';
import { newSigningSecret } from '../../lib/signing.ts';
import type { Settings } from '../../platform/context.ts';
import { parseKeyring } from '../../platform/vault/keyring.ts';
import { Vault } from '../../platform/vault/vault.ts';
import { sealHeaders, sealSecret } from '../destinations/destination-secrets.ts';
import type { Target } from '../store/destinations/destinations.ts';
import { connection } from './connection.ts';
import { email } from './email.ts';
import { hostedFunction } from './function.ts';
import { http } from './http.ts';
import type { TargetKind } from './target.ts';
import { KINDS, prepare, summarize, unbuiltRequest } from './targets.ts';

/** One URL of each kind, the name that a destination with this URL gets, and whether its body must be JSON. */
const EXAMPLES: { kind: TargetKind; url: string; name: string; isText?: true }[] = [
  { kind: email, url: 'mailto:ops@example.com?subject=x', name: 'ops@example.com', isText: true },
  {
    kind: connection,
    url: 'connection://01a1fd48-186a-7450-bb90-a3e1276506c0/v1/items?x=1',
    name: 'Connection',
  },
  { kind: hostedFunction, url: 'http://receiver.fn.localhost:4000/in?x=1', name: 'receiver' },
  { kind: http, url: 'https://shop.example:8443/hooks?x=1', name: 'shop.example:8443' },
];
const settings = {
  version: '1',
  addresses: { functions_domain: 'fn.localhost:4000', functions_scheme: 'http' },
} as Settings;
const vault = new Vault(parseKeyring(`k1:${Buffer.alloc(32, 1).toString('base64')}`, 'the test'));
const owner = { account_id: 'a', destination_id: 'd' };
const PAYLOAD = '{"amount":11}';
const PRETTY = '{\n  "amount": 11\n}';
const message = {
  account_id: 'a',
  trigger_id: 't',
  event_id: 'e',
  webhook_id: null,
  received_at: '2026-11-23T12:00:00.000000Z',
  payload: PAYLOAD,
};

const targetOf = (url: string, changes: Partial<Target> = {}) =>
  ({
    ...owner,
    url,
    method: 'POST',
    headers: sealHeaders(vault, owner, { 'X-Key': 'a long secret value' }),
    signing_secret: sealSecret(vault, owner, newSigningSecret()),
    previous_secret: null,
    previous_secret_until: null,
    body_template: null,
    body_source: 'EVENT',
    forward_headers: null,
    trigger_name: 'Orders',
    source: 'webhook',
    event_type: 'webhook.received',
    ...changes,
  }) as Target;

it('every kind and every scheme of the contract has an example here', () => {
  expect(EXAMPLES.map(({ kind }) => kind)).toEqual(KINDS);
  const schemes = EXAMPLES.map(({ url }) => new URL(url).protocol.slice(0, -1));
  expect(new Set(schemes)).toEqual(new Set(DESTINATION_SCHEMES));
});

it.each(EXAMPLES)('$url has one kind, which names and prepares it', ({ kind, url, name }) => {
  const parsed = new URL(url);
  expect(kind.nameOf(parsed, settings.addresses)).toBe(name);
  const target = targetOf(url);
  const prepared = prepare({ vault, settings }, target);
  expect(prepared.kind).toBe(kind);
  expect(prepare({ vault, settings }, target)).toBe(prepared);
});

it.each(EXAMPLES)('a request to $url is recorded with its body and without secrets', ({ url, isText }) => {
  const target = targetOf(url);
  const { shown } = prepare({ vault, settings }, target).build(message);
  expect(shown).toMatchObject({ ...summarize(target), body: expect.stringContaining(isText ? PRETTY : PAYLOAD) });
  expect(JSON.stringify(shown)).not.toContain('a long secret value');
  expect(unbuiltRequest(target)).toEqual({ ...shown, method: target.method, headers: {}, body: null });
});

it.each(EXAMPLES.filter(({ isText }) => !isText))(
  'a template for $url whose result is not JSON is rejected',
  ({ url }) => {
    const target = targetOf(url, { body_template: '[{{ source }}' });
    expect(() => prepare({ vault, settings }, target).build(message)).toThrow(/not JSON/);
  },
);
