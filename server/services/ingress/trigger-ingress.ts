/** The address and the secret of a trigger whose source pushes: made with it, changed, shown once, and described. */
import { SECRET_OVERLAP_HOURS } from '../../../contract/limits.ts';
import type { Input, Reply } from '../../../contract/operations.ts';
import type { AppDefinition } from '../../apps/definition.ts';
import type { PushSource } from '../../apps/source.ts';
import { fromNow, now } from '../../lib/clock.ts';
import { badRequest, notFound } from '../../lib/failure.ts';
import type { TriggersTable } from '../../store/schema.ts';
import * as store from '../../store/triggers.ts';
import { findApp } from '../apps.ts';
import type { Ctx } from '../context.ts';
import { settleNow } from '../registration/registration.ts';
import { follow } from '../registration/trigger-hook.ts';
import { describeOne } from '../trigger-shapes.ts';
import { write } from '../write.ts';
import { checkOf, secretKindOf } from './checks.ts';
import { forgetHook } from './hooks.ts';
import { checkSecret, newAddress, newSecret, onlySecret, openSecret, sealSecret } from './source-secrets.ts';

type Columns = Pick<TriggersTable, 'ingress_hash' | 'ingress_token' | 'source_secret'>;
type Owner = Pick<TriggersTable, 'account_id' | 'trigger_id'>;
type Parameters = Record<string, unknown>;
/** `shown` is a secret that was just made: it stands in clear in the reply. */
type Prepared = { columns: Columns; shown: string | null };

/** What stands in the row of a new trigger of this source. */
export function prepareIngress(
  ctx: Ctx,
  definition: AppDefinition,
  owner: Owner,
  parameters: Parameters,
  given: string | undefined,
): Prepared {
  const { source } = definition;
  if (source?.transport !== 'push') {
    if (given !== undefined)
      throw badRequest(`secret: expected none, as ${definition.app} sends nothing that is signed`);
    return { columns: { ingress_hash: null, ingress_token: null, source_secret: null }, shown: null };
  }
  const { source_secret, shown } = changedSecret(ctx, definition, source, owner, parameters, null, given);
  return { columns: { ...newAddress(ctx.vault, owner), source_secret }, shown };
}

/** The same for a trigger that is changed: with other parameters, or a secret that was given (null forgets it). */
export function changeIngress(
  ctx: Ctx,
  definition: AppDefinition,
  row: TriggersTable,
  parameters: Parameters,
  given: string | null | undefined,
): { columns: Partial<Columns>; shown: string | null } {
  const { source } = definition;
  if (source?.transport !== 'push') {
    if (given != null) throw badRequest(`secret: expected none, as ${definition.app} sends nothing that is signed`);
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
 * Makes a new secret for the source to sign with, in clear in this answer only. The one before counts as well for
 * `overlap_hours`, so that the source can be told at leisure; where its API was told of the hook, it is told at once.
 */
export async function rotateSecret(
  ctx: Ctx,
  { params, body }: Input<'triggerSecretRotate'>,
): Promise<Reply<'triggerSecretRotate'>> {
  const { trigger_id } = params;
  const overlapMs = (body?.overlap_hours ?? SECRET_OVERLAP_HOURS.default) * 3_600_000;
  const { row, hooks, made } = await write(ctx, async (tx, about) => {
    about(trigger_id);
    const before = await store.lock(tx, ctx.account_id, trigger_id);
    if (!before) throw notFound('Trigger');
    const definition = (await findApp(ctx, ctx.account_id, before.source))?.definition;
    const source = definition?.source;
    const parameters = JSON.parse(before.parameters) as Parameters;
    if (!definition || source?.transport !== 'push' || secretKindOf(source, parameters) !== 'ours')
      throw badRequest(
        'This trigger has no secret that is made here; give it the one that its source shows as `secret`.',
      );
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
  forgetHook(ctx.db, row.ingress_hash);
  await settleNow(ctx, hooks);
  return changed(ctx, row, made);
}

/** Shows a secret that the source handed over to be typed in there, as long as nothing signed with it has come. */
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
    throw badRequest('This trigger’s source has handed over no secret that waits to be typed in.');
  return { trigger: await describeOne(ctx, row, secret.current) };
}

async function changed(ctx: Ctx, row: TriggersTable, shown: string): Promise<Reply<'triggerGet'>> {
  forgetHook(ctx.db, row.ingress_hash);
  ctx.live.publish(ctx.account_id, { noun: 'trigger', trigger_id: row.trigger_id });
  return { trigger: await describeOne(ctx, row, shown) };
}
