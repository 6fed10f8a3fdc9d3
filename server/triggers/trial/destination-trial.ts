/** Tests a destination without an event: with one signed request, or by checking its URL step by step. */
import type { Input, Reply } from '../../../contract/operations.ts';
import { write } from '../../accounts/write.ts';
import { exchange } from '../../deliveries/sending/exchange.ts';
import { judge } from '../../deliveries/sending/outcome.ts';
import type { Target } from '../../deliveries/store/destinations/destinations.ts';
import * as store from '../../deliveries/store/destinations/destinations.ts';
import { examine, openSenders } from '../../deliveries/targets/targets.ts';
import { transformerOf } from '../../deliveries/transforms/transform.ts';
import { describeRun } from '../../deliveries/transforms/transform-runs.ts';
import { now } from '../../lib/clock.ts';
import { notFound } from '../../lib/failure.ts';
import { newId } from '../../lib/ids.ts';
import type { Ctx } from '../../platform/context.ts';
import * as triggerStore from '../store/triggers.ts';
import { payloadFor } from './test-event.ts';

/**
 * Sends one signed request like a delivery, with the given payload or the sample of the event type. Only the audit
 * entry is stored, and the destination's health does not change.
 */
export async function test(ctx: Ctx, { params, body }: Input<'destinationTest'>): Promise<Reply<'destinationTest'>> {
  const target = await find(ctx, params);
  const trigger = await triggerStore.find(ctx.db, ctx.account_id, target.trigger_id);
  if (!trigger) throw notFound('Trigger');
  const payload = await payloadFor(ctx, trigger, body?.payload);
  await write(ctx, async (_tx, about) => about(target.destination_id));
  const message = {
    account_id: ctx.account_id,
    trigger_id: target.trigger_id,
    event_id: newId(),
    webhook_id: null,
    received_at: now(),
    payload: JSON.stringify(payload),
    request: null,
  };
  const senders = openSenders(ctx);
  const startedMs = performance.now();
  try {
    const transforming = { transformer: transformerOf(target), cause: null };
    const { request, result, transform } = await exchange(ctx, senders, message, target, transforming);
    const { reason, message: error_message } = judge(result, [], 0);
    if (reason === null) ctx.changed(ctx.account_id, { noun: 'destination', ...params });
    return {
      result: {
        ok: reason === null,
        request: request ?? null,
        response: result.response,
        reason,
        error_message,
        duration_ms: Math.round(performance.now() - startedMs),
        run_id: result.run_id,
        function_id: result.function_id,
        transform: await describeRun(ctx, transform),
      },
    };
  } finally {
    senders.close();
  }
}

/** Checks a URL: DNS, egress rules, connection, certificate, response. Stops at the first failure. */
export async function doctor(ctx: Ctx, { params }: Input<'destinationDoctor'>): Promise<Reply<'destinationDoctor'>> {
  const target = await find(ctx, params);
  await write(ctx, async (_tx, about) => about(target.destination_id));
  return { steps: await examine(ctx, target) };
}

/** A destination with the fields of its trigger; 404. */
export async function find(ctx: Ctx, params: { trigger_id: string; destination_id: string }): Promise<Target> {
  const { account_id } = ctx;
  const [target] = await store.targets(ctx.db, [{ account_id, destination_id: params.destination_id }]);
  if (target?.trigger_id !== params.trigger_id) throw notFound('Destination');
  return target;
}
