import { describe, expect, it } from 'vitest';
import { gatewayRefusal, type KeyLimits, matchesPath, NO_LIMITS } from './key-limits.ts';

describe('a path pattern', () => {
  it.each([
    ['/user/repos', '/user/repos'],
    ['/', '/'],
    ['/', ''],
    ['/repos/*/issues', '/repos/a-b/issues'],
    ['/files/**', '/files/a'],
    ['/files/**', '/files/a/b/c'],
    ['/**', '/anything/at/all'],
    ['/a/', '/a/'],
  ])('%s matches %s', (pattern, path) => {
    expect(matchesPath(pattern, path)).toBe(true);
  });

  it.each([
    ['/user/repos', '/user/repos/'],
    ['/user/repos', '/user/Repos'],
    ['/user/repos', '/user%2Frepos'],
    ['/repos/*', '/repos/'],
    ['/repos/*', '/repos/a/b'],
    ['/files/**', '/files'],
    ['/files/**', '/files/../user'],
    ['/files/**', '/files/..'],
    ['/files/**', '/files/./a'],
    ['/files/**', '/files//a'],
    ['/files/**', '/files/%2E%2e/user'],
    ['/files/**', '/files/a%5cb'],
    ['/files/**', '/files/a\\..\\b'],
    ['/**', '//host/path'],
  ])('%s does not match %s', (pattern, path) => {
    expect(matchesPath(pattern, path)).toBe(false);
  });
});

it('permits a call if one rule permits all of it', () => {
  const rule = { connection_ids: null, methods: null, paths: null };
  const limits: KeyLimits = {
    ...NO_LIMITS,
    scopes: ['gateway:call'],
    gateway: [
      { ...rule, app: 'a', methods: ['GET'], paths: ['/x'] },
      { ...rule, app: 'a', methods: ['POST'], paths: ['/y'] },
    ],
  };
  const ask = (method: string, path: string) => gatewayRefusal(limits, { app: 'a', method, path });
  expect([ask('GET', '/x'), ask('POST', '/y')]).toEqual([null, null]);
  expect(ask('POST', '/x')).toContain('this path');
  expect(gatewayRefusal(NO_LIMITS, { app: 'b', method: 'PURGE', path: '' })).toBeNull();
});
