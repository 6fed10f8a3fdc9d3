/** The form of an API key: its fields, and the limits that they make. */
import * as z from 'zod/mini';
import type { KeyLimits } from '../../../../contract/keys/key-limits.ts';
import { SCOPES, type Scope } from '../../../../contract/keys/scopes.ts';
import type { ApiKey } from '../../../api/entities.ts';
import { linesOf, rulesIn } from './rule-lines.ts';

const DAY_MS = 86_400_000;
export const EXPIRY = [
  { value: 'never', label: 'Never' },
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
];
export const KEEP = { value: 'keep', label: 'Keep current' };

export const GROUPS = ['connections', 'triggers', 'events', 'functions', 'settings'] as const;
const ipRange = z.union([z.ipv4(), z.cidrv4(), z.ipv6(), z.cidrv6()]);
const level = z.enum(['none', 'read', 'write']);

export const keySchema = z
  .object({
    name: z.string().check(z.trim(), z.minLength(1, 'Enter a name.'), z.maxLength(100)),
    expires_at: z.string(),
    access: z.enum(['FULL', 'LIMITED']),
    connections: level,
    triggers: level,
    events: level,
    functions: level,
    settings: level,
    invoke: z.boolean(),
    calls: z.boolean(),
    gateway: z.string().check((ctx) => {
      const { error } = rulesIn(ctx.value);
      if (error !== null) ctx.issues.push({ code: 'custom', message: error, input: ctx.value });
    }),
    function_ids: z.array(z.string()),
    ip_ranges: z.string().check((ctx) => {
      const strange = linesIn(ctx.value).findIndex((range) => !ipRange.safeParse(range).success);
      if (strange >= 0)
        ctx.issues.push({
          code: 'custom',
          message: `Line ${strange + 1}: expected an IP address or range, such as 203.0.113.0/24`,
          input: ctx.value,
        });
    }),
  })
  .check((ctx) => {
    if (ctx.value.access === 'LIMITED' && scopesOf(ctx.value).length === 0)
      ctx.issues.push({
        code: 'custom',
        path: ['access'],
        message: 'Choose at least one permission, or full access.',
        input: ctx.value,
      });
  });
export type KeyValues = z.infer<typeof keySchema>;

type Permissions = Pick<KeyValues, (typeof GROUPS)[number] | 'invoke' | 'calls'>;

function scopesOf(values: Permissions): Scope[] {
  const chosen = new Set<string>(GROUPS.map((group) => `${group}:${values[group]}`));
  if (values.invoke) chosen.add('functions:invoke');
  if (values.calls) chosen.add('gateway:call');
  return SCOPES.filter((scope) => chosen.has(scope));
}

const linesIn = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean);
/** Null for an empty list: no limit. */
const some = <T>(list: T[]): T[] | null => (list.length === 0 ? null : list);

/** The limits that the fields make. */
export function limitsOf(values: KeyValues): KeyLimits {
  const ip_ranges = some(linesIn(values.ip_ranges));
  if (values.access === 'FULL') return { scopes: null, gateway: null, functions: null, ip_ranges };
  const scopes = scopesOf(values);
  return {
    scopes,
    gateway: values.calls ? some(rulesIn(values.gateway).rules ?? []) : null,
    functions: scopes.some((scope) => scope.startsWith('functions:')) ? some(values.function_ids) : null,
    ip_ranges,
  };
}

const hasScope = (scopes: readonly Scope[] | null, scope: string) => scopes?.includes(scope as Scope) ?? false;

/** The fields of a key with these limits. */
export function valuesOf(apiKey: Pick<ApiKey, 'name'> | undefined, limits: KeyLimits | undefined): KeyValues {
  const { scopes = null, gateway = null, functions = null, ip_ranges = null } = limits ?? {};
  const levelOf = (group: string) =>
    hasScope(scopes, `${group}:write`) ? 'write' : hasScope(scopes, `${group}:read`) ? 'read' : 'none';
  return {
    name: apiKey?.name ?? '',
    expires_at: apiKey ? 'keep' : 'never',
    access: scopes === null ? 'FULL' : 'LIMITED',
    connections: levelOf('connections'),
    triggers: levelOf('triggers'),
    events: levelOf('events'),
    functions: levelOf('functions'),
    settings: levelOf('settings'),
    invoke: hasScope(scopes, 'functions:invoke'),
    calls: hasScope(scopes, 'gateway:call'),
    gateway: linesOf(gateway),
    function_ids: functions ?? [],
    ip_ranges: (ip_ranges ?? []).join('\n'),
  };
}

function instantOf(choice: string): string | null {
  return choice === 'never' ? null : new Date(Date.now() + Number(choice) * DAY_MS).toISOString();
}

/** The body that creates or changes a key. */
export const bodyOf = (values: KeyValues) => ({
  name: values.name,
  ...(values.expires_at === 'keep' ? {} : { expires_at: instantOf(values.expires_at) }),
  ...limitsOf(values),
});

/** The same as JSON, for the test of limits on past use. */
export const limitsText = (values: KeyValues): string => JSON.stringify(limitsOf(values));

/** The permissions of a key in one line: "connections, events (read), call apps". */
export const permissionWords = (scopes: readonly Scope[] | null): string =>
  (scopes ?? []).map((scope) => WORDS[scope] ?? scope.replace(/:write$/, '').replace(/:read$/, ' (read)')).join(', ');

const WORDS: Partial<Record<Scope, string>> = {
  'functions:invoke': 'invoke functions',
  'gateway:call': 'call apps',
};
