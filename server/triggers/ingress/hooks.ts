/** Looks up the trigger of a webhook URL. */

import { appLabel } from '../../connections/apps/app-label.ts';
import { findApp } from '../../connections/apps/apps.ts';
import { nativeName } from '../../connections/apps/event-names.ts';
import { apart, type PushSource } from '../../connections/apps/source.ts';
import type { Services } from '../../platform/context.ts';
import type { TriggersTable } from '../../platform/database/schema.ts';
import { checkOf, completed, methodsOf, replyOf } from './checks.ts';
import type { PreparedReply } from './reply.ts';
import type { Check } from './signature.ts';
import { openSecret, type SourceSecret } from './source-secrets.ts';

/** The part of a trigger that receiving needs. */
export type Hook = {
  account_id: string;
  trigger_id: string;
  /** The app, for metrics: `custom` for apps of the account. */
  label: string;
  /** The native name, as in the source's requests. */
  event_type: string;
  parameters: Record<string, unknown>;
  source: PushSource;
  check: Check;
  /** The methods of accepted requests. */
  methods: readonly string[];
  trigger_name: string;
  /** The reply to accepted requests; null for the default. */
  reply: PreparedReply | null;
  secret: SourceSecret | null;
};

/** The trigger whose URL token has this hash. */
export function findHook(services: Services, ingress_hash: string): Promise<Hook | undefined> {
  return services.memory.hooks.find(ingress_hash, () => look(services, ingress_hash));
}

async function look(services: Services, ingress_hash: string): Promise<Hook | undefined> {
  const row = await services.memory.hookRows.add(ingress_hash);
  return row && hookOf(services, row);
}

/** The hook of a trigger; undefined if its source does not push. */
export async function hookOf(services: Pick<Services, 'db' | 'vault'>, row: TriggersTable): Promise<Hook | undefined> {
  const definition = (await findApp(services, row.account_id, row.source))?.definition;
  if (definition?.source?.transport !== 'push') return undefined;
  const parameters = apart(definition.source, JSON.parse(row.parameters) as Record<string, unknown>);
  return {
    account_id: row.account_id,
    trigger_id: row.trigger_id,
    label: appLabel(row.source),
    event_type: nativeName(definition, row.event_type),
    parameters,
    source: completed(definition.source, parameters),
    check: checkOf(definition, definition.source, parameters),
    methods: methodsOf(definition.source, parameters),
    trigger_name: row.name,
    reply: replyOf(definition.source, parameters),
    secret: openSecret(services.vault, row),
  };
}
