/** Trying a destination without an event: one signed request, or a look at its address step by step. */
import type { Input, Reply } from '../../contract/operations.ts';
import { now } from '../lib/clock.ts';
import { examine } from '../lib/doctor.ts';
import { notFound } from '../lib/failure.ts';
import { newId } from '../lib/ids.ts';
import type { Target } from '../store/destinations.ts';
import * as store from '../store/destinations.ts';
import * as triggerStore from '../store/triggers.ts';
import type { Ctx } from './context.ts';
import { labelIn } from './delivery/call-inside.ts';
import { exchange } from './delivery/exchange.ts';
import { judge } from './delivery/outcome.ts';
import { openWires } from './delivery/send.ts';
import { tell } from './neighbours.ts';
import { payloadFor } from './test-event.ts';
import { write } from './write.ts';

/**
 * Sends one signed request as a delivery would, with the payload given, else the sample of the event type. Nothing is
 * stored of it but the audit row, and the destination's health doesn't change.
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
  };
  const wires = openWires(ctx);
  const startedMs = performance.now();
  try {
    const { outgoing, answer } = await exchange(ctx, wires, message, target, null);
    const { reason, message: error_message } = judge(answer, [], 0);
    if (reason === null) {
      ctx.pipeline.lanes.changed(target.destination_id);
      tell(ctx.db, { forget: 'destination', id: target.destination_id });
    }
    return {
      result: {
        ok: reason === null,
        request: outgoing
          ? { method: outgoing.method, url: outgoing.url, headers: outgoing.shown, body: outgoing.body }
          : null,
        response: answer.response,
        reason,
        error_message,
        duration_ms: Math.round(performance.now() - startedMs),
        run_id: answer.run_id,
        function_id: answer.function_id,
      },
    };
  } finally {
    wires.close();
  }
}

/** Where an address leads: name, egress rules, connection, certificate, answer; ends with the first that fails. */
export async function doctor(ctx: Ctx, { params }: Input<'destinationDoctor'>): Promise<Reply<'destinationDoctor'>> {
  const target = await find(ctx, params);
  await write(ctx, async (_tx, about) => about(target.destination_id));
  const label = labelIn(ctx, target.url);
  if (label) {
    const detail = `${label} is a function of this service: it is called inside, without a connection.`;
    return { steps: [{ step: 'ADDRESS', ok: true, detail, duration_ms: 0 }] };
  }
  const agent = ctx.egress.agent({ connections: 1, pipelining: 1 });
  try {
    return { steps: await examine({ egress: ctx.egress, agent }, target.url, ctx.settings.attemptTimeoutMs) };
  } finally {
    await agent.destroy();
  }
}

async function find(ctx: Ctx, params: { trigger_id: string; destination_id: string }): Promise<Target> {
  const { account_id } = ctx;
  const [target] = await store.targets(ctx.db, [{ account_id, destination_id: params.destination_id }]);
  if (target?.trigger_id !== params.trigger_id) throw notFound('Destination');
  return target;
}
