import { PAYLOAD_MAX_BYTES } from '../../../contract/limits.ts';
import type { Input, Reply } from '../../../contract/operations.ts';
import { write } from '../../accounts/write.ts';
import { getDetail } from '../../deliveries/events/event-shapes.ts';
import { ingestIn } from '../../deliveries/intake/intake.ts';
import * as eventStore from '../../deliveries/store/events/events.ts';
import { now } from '../../lib/clock.ts';
import { badRequest, notFound } from '../../lib/failure.ts';
import type { Ctx } from '../../platform/context.ts';
import type { TriggersTable } from '../../platform/database/schema.ts';
import { firingPayload } from '../schedules/firing.ts';
import { SCHEDULE_SOURCE } from '../schedules/schedules.ts';
import { getEventType } from '../sources.ts';
import * as triggerStore from '../store/triggers.ts';

/** Creates an event from the given payload or the event type's sample. It is processed like any other. */
export async function test(ctx: Ctx, { params, body }: Input<'triggerTest'>): Promise<Reply<'triggerTest'>> {
  const trigger = await find(ctx, params.trigger_id);
  return store(ctx, trigger, await payloadFor(ctx, trigger, body?.payload));
}

/** Stores the payload as an event of the trigger. `replay_of` links it to the original event. */
export async function create(ctx: Ctx, { params, body }: Input<'eventCreate'>): Promise<Reply<'eventCreate'>> {
  const trigger = await find(ctx, params.trigger_id);
  const { replay_of } = body;
  if (replay_of && !(await eventStore.find(ctx.db, ctx.account_id, trigger.trigger_id, replay_of)))
    throw badRequest('replay_of: expected an event of this trigger');
  return store(ctx, trigger, await payloadFor(ctx, trigger, body.payload), replay_of);
}

async function find(ctx: Ctx, trigger_id: string): Promise<TriggersTable> {
  const trigger = await triggerStore.find(ctx.db, ctx.account_id, trigger_id);
  if (!trigger) throw notFound('Trigger');
  return trigger;
}

async function store(ctx: Ctx, { trigger_id }: TriggersTable, payload: unknown, replay_of?: string) {
  const { event_id, committed } = await write(ctx, async (tx, about) => {
    about(trigger_id);
    const given = { account_id: ctx.account_id, trigger_id, payload, replay_of, trace: ctx.trace };
    const { events, committed } = await ingestIn(ctx, tx, 'test', [given]);
    const [event] = events;
    // The trigger was deleted meanwhile.
    if (!event) throw notFound('Trigger');
    return { event_id: event.event_id, committed };
  });
  committed();
  return { event: await getDetail(ctx, trigger_id, event_id) };
}

type Sampled = Pick<TriggersTable, 'source' | 'event_type' | 'parameters'>;

/** The given payload, after a size check, or the sample of the event type. */
export async function payloadFor(ctx: Ctx, trigger: Sampled, given: object | undefined): Promise<unknown> {
  const payload = given ?? (await samplePayload(ctx, trigger));
  if (Buffer.byteLength(JSON.stringify(payload)) > PAYLOAD_MAX_BYTES)
    throw badRequest(`payload: expected at most ${PAYLOAD_MAX_BYTES} bytes of JSON`);
  return payload;
}

async function samplePayload(ctx: Ctx, { source, event_type, parameters }: Sampled): Promise<unknown> {
  if (source === SCHEDULE_SOURCE) return firingPayload(JSON.parse(parameters), { scheduled_for: now(), missed: [] });
  return (await getEventType(ctx, source, event_type)).sample;
}
