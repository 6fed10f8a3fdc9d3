/** The webhook URL and secret of a trigger with a push source: created, changed, shown once, and described. */
import { SECRET_OVERLAP_HOURS } from '../../../contract/limits.ts';
import type { Input, Reply } from '../../../contract/operations.ts';
import { write } from '../../accounts/write.ts';
import { findApp } from '../../connections/apps/apps.ts';
import type { AppDefinition } from '../../connections/apps/definition.ts';
import type { PushSource } from '../../connections/apps/source.ts';
import { fromNow, now } from '../../lib/clock.ts';
import { badRequest, notFound } from '../../lib/failure.ts';
import type { Ctx } from '../../platform/context.ts';
import type { TriggersTable } from '../../platform/database/schema.ts';
import { settleNow } from '../registration/registration.ts';
import { follow } from '../registration/trigger-hook.ts';
import * as store from '../store/triggers.ts';
import { describeOne } from '../trigger-shapes.ts';
import { checkOf, secretKindOf } from './checks.ts';
import { checkSecret, newAddress, newSecret, onlySecret, openSecret, sealSecret } from './source-secrets.ts';

type Columns = Pick<TriggersTable, 'ingress_hash' | 'ingress_token' | 'source_secret'>;
type Owner = Pick<TriggersTable, 'account_id' | 'trigger_id'>;
type Parameters = Record<string, unknown>;
/** `shown` is a secret that was just generated: the response contains it in clear. */
type Prepared = { columns: Columns; shown: string | null };

/** The ingress columns of a new trigger. */
export function prepareIngress(
  ctx: Ctx,
  definition: AppDefinition,
  owner: Owner,
  parameters: Parameters,
  given: string | undefined,
): Prepared {
  const { source } = definition;
  if (source?.transport !== 'push') {
    if (given !== undefined) throw badRequest(`secret: expected none, as ${definition.app} does not sign requests`);
    return { columns: { ingress_hash: null, ingress_token: null, source_secret: null }, shown: null };
  }
  const { source_secret, shown } = changedSecret(ctx, definition, source, owner, parameters, null, given);
  return { columns: { ...newAddress(ctx.vault, owner), source_secret }, shown };
}

/** The same for a changed trigger: with other parameters, or with a given secret (null removes it). */
export function changeIngress(
  ctx: Ctx,
  definition: AppDefinition,
  row: TriggersTable,
  parameters: Parameters,
  given: string | null | undefined,
): { columns: Partial<Columns>; shown: string | null } {
  const { source } = definition;
  if (source?.transport !== 'push') {
    if (given != null) throw badRequest(`secret: expected none, as ${definition.app} does not sign requests`);
    return { columns: {}, shown: null };
  }
  const { source_secret, shown } = changedSecret(ctx, definition, source, row, parameters, row.source_secret, given);
  return { columns: { source_secret }, shown };
}

function changedSecret(
  { vault }: Ctx,
  definition: AppDefinition,
  source: PushSource,
  owner: Owner,
  parameters: Parameters,
  stored: string | null,
  given: string | null | undefined,
): { source_secret: string | null; shown: string | null } {
  const kind = secretKindOf(source, parameters);
  if (kind === 'none') {
    if (given != null) throw badRequest('secret: expected none, as requests are not verified');
    return { source_secret: null, shown: null };
  }
  if (given) {
    checkSecret(checkOf(definition, source, parameters), given);
    return { source_secret: sealSecret(vault, owner, onlySecret(given)), shown: null };
  }
  if (kind === 'theirs') return { source_secret: given === null ? null : stored, shown: null };
  if (given === null) throw badRequest('secret: expected one; secret:rotate makes a new one');
  if (stored !== null) return { source_secret: stored, shown: null };
  const made = newSecret(checkOf(definition, source, parameters));
  return { source_secret: sealSecret(vault, owner, onlySecret(made)), shown: made };
}

/**
 * Generates a new signing secret, in clear in this response only. The previous one stays valid for `overlap_hours`, so
 * that the source can be updated in time; a webhook registered through the app's API is updated at once.
 */
export async function rotateSecret(
  ctx: Ctx,
  { params, body }: Input<'triggerSecretRotate'>,
): Promise<Reply<'triggerSecretRotate'>> {
  const { trigger_id } = params;
  const overlapMs = (body?.overlap_hours ?? SECRET_OVERLAP_HOURS.default) * 3_600_000;
  const { row, hooks, made } = await write(ctx, async (tx, about) => {
    const before = await store.lock(tx, ctx.account_id, trigger_id);
    if (!before) throw notFound('Trigger');
    about(trigger_id, { noun: 'trigger', trigger_id, ingress_hash: before.ingress_hash });
    // Read in this transaction: waiting for a second connection while holding one could deadlock.
    const definition = (await findApp({ db: tx }, ctx.account_id, before.source))?.definition;
    const source = definition?.source;
    const parameters = JSON.parse(before.parameters) as Parameters;
    if (!definition || source?.transport !== 'push' || secretKindOf(source, parameters) !== 'ours')
      throw badRequest('This trigger’s secret is not generated here; set the one that its source shows as `secret`.');
    const made = newSecret(checkOf(definition, source, parameters));
    const old = openSecret(ctx.vault, before)?.current;
    const previous = old !== undefined && overlapMs > 0 ? { secret: old, until: fromNow(overlapMs) } : null;
    const changes = {
      source_secret: sealSecret(ctx.vault, before, { current: made, previous, unconfirmed: false }),
      updated_at: now(),
    };
    await store.update(tx, ctx.account_id, trigger_id, changes);
    const row = { ...before, ...changes };
    return { row, made, hooks: await follow(tx, definition, row, true) };
  });
  await settleNow(ctx, hooks);
  return { trigger: await describeOne(ctx, row, made) };
}

/** Returns a secret that the source sent and that must be entered there, until a request signed with it arrives. */
export async function revealSecret(
  ctx: Ctx,
  { params }: Input<'triggerSecretReveal'>,
): Promise<Reply<'triggerSecretReveal'>> {
  const { trigger_id } = params;
  const row = await write(ctx, async (tx, about) => {
    about(trigger_id);
    const found = await store.lock(tx, ctx.account_id, trigger_id);
    if (!found) throw notFound('Trigger');
    return found;
  });
  const secret = openSecret(ctx.vault, row);
  if (!secret?.unconfirmed)
    throw badRequest('This trigger has no received secret that is still to be entered at its source.');
  return { trigger: await describeOne(ctx, row, secret.current) };
}
