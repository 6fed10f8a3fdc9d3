import { expect, it } from 'vitest';
import type { KeyLimits } from '../../../../contract/keys/key-limits.ts';
import { keySchema, limitsOf, permissionWords, valuesOf } from './key-form.ts';

const limits: KeyLimits = {
  scopes: ['connections:read', 'events:write', 'functions:invoke', 'gateway:call'],
  gateway: [{ app: 'github', connection_ids: null, methods: ['GET'], paths: ['/user/repos'] }],
  functions: ['01a21488-d1cc-73b5-8488-a17110a83274'],
  ip_ranges: ['10.0.0.0/8'],
};

it('makes the limits that it was filled with', () => {
  expect(limitsOf(valuesOf({ name: 'x' }, limits))).toEqual(limits);
});

it('makes no limits by default', () => {
  expect(limitsOf(valuesOf(undefined, undefined))).toEqual({
    scopes: null,
    gateway: null,
    functions: null,
    ip_ranges: null,
  });
});

it('leaves out limits without their permission', () => {
  const values = { ...valuesOf({ name: 'x' }, limits), invoke: false, calls: false };
  expect(limitsOf(values)).toEqual({
    ...limits,
    scopes: ['connections:read', 'events:write'],
    gateway: null,
    functions: null,
  });
});

it('refuses limited access without a permission, and lines that are no rules', () => {
  const values = valuesOf({ name: 'x' }, undefined);
  expect(keySchema.safeParse(values).success).toBe(true);
  expect(keySchema.safeParse({ ...values, access: 'LIMITED' }).error?.issues[0]?.path).toEqual(['access']);
  expect(keySchema.safeParse({ ...values, gateway: 'github' }).error?.issues[0]?.path).toEqual(['gateway']);
});

it('names permissions', () => {
  expect(permissionWords(limits.scopes)).toBe('connections (read), events, invoke functions, call apps');
});
