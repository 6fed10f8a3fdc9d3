import { describe, expect, it } from 'vitest';
import { gatewayRefusal, KEY_LIMITS_MAX_CHARS } from '../../../contract/keys/key-limits.ts';
import { proposeLimits, type Used, type UsedCall } from './propose-limits.ts';

const nothing: Used = { operations: [], functions: [], gateway: [], connections: [] };
const call = (path: string, method = 'GET', app = 'github', connection_id = 'c1'): UsedCall => ({
  app,
  connection_id,
  method,
  path,
});
const rulesFor = (gateway: UsedCall[], connections: Used['connections'] = []) => {
  const { proposal } = proposeLimits({ ...nothing, gateway, connections });
  expect(proposal?.scopes).toEqual(['gateway:call']);
  if (proposal) for (const each of gateway) expect(gatewayRefusal(proposal, each)).toBeNull();
  return proposal?.gateway;
};
const rule = (more: object) => ({ app: 'github', connection_ids: null, methods: ['GET'], paths: null, ...more });

describe('calls of apps', () => {
  it('are permitted by method and path', () => {
    expect(rulesFor([call('/user/repos'), call('/user'), call('/hooks', 'POST')])).toEqual([
      rule({ paths: ['/user', '/user/repos'] }),
      rule({ methods: ['POST'], paths: ['/hooks'] }),
    ]);
  });

  it('have ids as wildcards', () => {
    const paths = ['/items/1/notes', '/items/22/notes', '/items/0198f0a2-1111-7000-8000-000000000001/notes'];
    expect(rulesFor(paths.map((path) => call(path)))).toEqual([rule({ paths: ['/items/*/notes'] })]);
  });

  it('have names as wildcards if there are many', () => {
    const names = Array.from({ length: 30 }, (_, i) => `name-${String.fromCharCode(97 + (i % 26))}${'x'.repeat(i)}`);
    expect(rulesFor(names.map((name) => call(`/repos/${name}/issues`)))).toEqual([
      rule({ paths: ['/repos/*/issues'] }),
    ]);
  });

  it('are merged by their first segment if they differ in everything', () => {
    const letters = 'abcdefghijklmnopqrstuvwxyz';
    const odd = [...letters].map((letter, i) => call(`/files${`/${letter}`.repeat(i + 1)}`));
    expect(rulesFor(odd)).toEqual([rule({ paths: ['/files/**'] })]);
  });

  it('have no paths where a pattern can’t match them', () => {
    expect(rulesFor([call('/a//b')])).toEqual([rule({})]);
    expect(rulesFor([call('/a'), call('/b', 'PROPFIND')])).toEqual([rule({ methods: null })]);
  });

  it('name connections if the app has others', () => {
    const both = [
      { app: 'github', connection_id: 'c1' },
      { app: 'github', connection_id: 'c2' },
    ];
    expect(rulesFor([call('/user')], both)).toEqual([rule({ connection_ids: ['c1'], paths: ['/user'] })]);
    expect(rulesFor([call('/user')], both.slice(0, 1))).toEqual([rule({ paths: ['/user'] })]);
  });

  it('fit into the limits of a key', () => {
    const apps = Array.from({ length: 40 }, (_, i) => `app-${i}`);
    const gateway = apps.flatMap((app) => [
      call(`/${'x'.repeat(250)}`, 'GET', app),
      call(`/${'y'.repeat(250)}`, 'POST', app),
    ]);
    const { proposal } = proposeLimits({ ...nothing, gateway });
    expect(JSON.stringify(proposal).length).toBeLessThan(KEY_LIMITS_MAX_CHARS);
    expect(proposal?.gateway).toHaveLength(40);
  });
});

describe('operations and functions', () => {
  const used = (operations: [Used['operations'][number]['operation'], string | null][], functions: string[] = []) =>
    proposeLimits({
      ...nothing,
      operations: operations.map(([operation, function_id]) => ({ operation, function_id })),
      functions,
    });

  it('need their scopes; write includes read', () => {
    expect(
      used([
        ['eventList', null],
        ['eventReplay', null],
        ['triggerGet', null],
      ]).proposal,
    ).toEqual({
      scopes: ['triggers:read', 'events:write'],
      gateway: null,
      functions: null,
      ip_ranges: null,
    });
    expect(used([['accountGet', null]]).proposal?.scopes).toEqual(['settings:read']);
  });

  it('name the functions, unless others were listed or created', () => {
    expect(used([['versionCreate', 'f1']], ['f2']).proposal).toMatchObject({
      scopes: ['functions:write', 'functions:invoke'],
      functions: ['f1', 'f2'],
    });
    expect(
      used([
        ['versionCreate', 'f1'],
        ['functionList', null],
      ]).proposal?.functions,
    ).toBeNull();
  });

  it('have none where full access is needed, or nothing was used', () => {
    expect(used([['apiKeyRotate', null]])).toEqual({
      proposal: null,
      reason: 'It was used for “Rotate an API key”, which needs full access.',
    });
    expect(proposeLimits(nothing)).toEqual({ proposal: null, reason: 'It was not used in this time.' });
  });
});
