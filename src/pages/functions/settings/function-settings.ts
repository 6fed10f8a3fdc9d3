import * as z from 'zod/mini';
import type { HostedFunction } from '../../../api/entities.ts';
import type { CallInput } from '../../../api/operation.ts';

export const INVOKE_OPTIONS = [
  { value: 'KEY', title: 'API key', description: 'A key of this account, as Authorization: Bearer.' },
  { value: 'ANYONE', title: 'None', description: 'All callers with the URL, without a key.' },
] as const;
export const NETWORK_OPTIONS = [
  { value: 'ALLOW_ALL', title: 'All public hosts', description: 'Everything except private and local networks.' },
  { value: 'ALLOW_LIST', title: 'Allowlist', description: 'Only the listed hosts and the gateway.' },
  { value: 'DENY_ALL', title: 'Blocked', description: 'Only the gateway to connected apps.' },
] as const;

export const GATEWAY_OPTIONS = [
  { value: 'ALLOW_ALL', title: 'All connections', description: 'Every connected app of this account.' },
  { value: 'ALLOW_LIST', title: 'Granted', description: 'Only the listed apps and connections.' },
  { value: 'DENY_ALL', title: 'None', description: 'Its calls through the gateway are rejected with 403.' },
] as const;

/** Form fields that new and existing functions share. */
export const nameField = z
  .string()
  .check(z.trim(), z.minLength(1, 'Enter a name.'), z.maxLength(100, 'Enter at most 100 characters.'));
export const descriptionField = z.string().check(z.maxLength(2000, 'Enter at most 2,000 characters.'));

export const settingsSchema = z.object({
  name: nameField,
  description: descriptionField,
  visibility: z.enum(['PRIVATE', 'PUBLIC', 'UNLISTED']),
  invoke_access: z.enum(['KEY', 'ANYONE']),
  network_policy: z.enum(['ALLOW_ALL', 'DENY_ALL', 'ALLOW_LIST']),
  allowed_hosts: z.string(),
  gateway_policy: z.enum(['ALLOW_ALL', 'DENY_ALL', 'ALLOW_LIST']),
  gateway_grants: z.string(),
  timeout_seconds: z.string().check(
    z.regex(/^\d{1,3}$/, 'Enter a whole number from 1 to 300.'),
    z.refine((text) => Number(text) >= 1 && Number(text) <= 300, 'Enter a whole number from 1 to 300.'),
  ),
});
export type Settings = z.infer<typeof settingsSchema>;

export function settingsOf(fn: HostedFunction): Settings {
  return {
    name: fn.name,
    description: fn.description,
    visibility: fn.visibility,
    invoke_access: fn.invoke_access,
    network_policy: fn.network_policy,
    allowed_hosts: fn.allowed_hosts.join('\n'),
    gateway_policy: fn.gateway_policy,
    gateway_grants: fn.gateway_grants
      .map(({ app, connection_id }) => [app, connection_id ?? ''].join(' ').trim())
      .join('\n'),
    timeout_seconds: String(fn.timeout_seconds),
  };
}

type Update = CallInput<'functionUpdate'>['body'];

/** Hosts of a text, separated by line ends or commas. */
export const hostsIn = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean);

/** Grants of a text: an app on each line, and optionally the ID of one of its connections. */
export const grantsIn = (text: string) =>
  text.split('\n').flatMap((line) => {
    const [app, connection_id = null] = line.trim().split(/\s+/);
    return app ? [{ app, connection_id }] : [];
  });

/** Only edited fields are sent, so a concurrent change to another field is kept. */
export function changedSettings(values: Settings, dirty: Readonly<Partial<Record<keyof Settings, boolean>>>): Update {
  return {
    ...(dirty.name ? { name: values.name } : {}),
    ...(dirty.description ? { description: values.description } : {}),
    ...(dirty.visibility ? { visibility: values.visibility } : {}),
    ...(dirty.invoke_access ? { invoke_access: values.invoke_access } : {}),
    ...(dirty.network_policy ? { network_policy: values.network_policy } : {}),
    ...(dirty.allowed_hosts ? { allowed_hosts: hostsIn(values.allowed_hosts) } : {}),
    ...(dirty.gateway_policy ? { gateway_policy: values.gateway_policy } : {}),
    ...(dirty.gateway_grants ? { gateway_grants: grantsIn(values.gateway_grants) } : {}),
    ...(dirty.timeout_seconds ? { timeout_seconds: Number(values.timeout_seconds) } : {}),
  };
}
