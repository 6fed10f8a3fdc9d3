/** Tests a transformation with stored events of the trigger: what would be sent, without sending it. */
import { functionRefusal } from '../../../contract/keys/key-limits.ts';
import { hasScope } from '../../../contract/keys/scopes.ts';
import { TRANSFORM_TEST_EVENTS } from '../../../contract/limits.ts';
import type { Input, Reply } from '../../../contract/operations.ts';
import { write } from '../../accounts/write.ts';
import type { Target } from '../../deliveries/store/destinations/destinations.ts';
import * as eventPages from '../../deliveries/store/events/event-pages.ts';
import * as eventStore from '../../deliveries/store/events/events.ts';
import { Unrenderable } from '../../deliveries/targets/message-body.ts';
import type { Message } from '../../deliveries/targets/target.ts';
import { fullMessage, prepare } from '../../deliveries/targets/targets.ts';
import { inputHeaders, inputOf, outcomeOf } from '../../deliveries/transforms/transform.ts';
import { callableOf } from '../../functions/calls/callables.ts';
import { openTrials } from '../../functions/calls/transform-trials.ts';
import * as functionStore from '../../functions/store/functions.ts';
import { now } from '../../lib/clock.ts';
import { badRequest, forbidden, notFound } from '../../lib/failure.ts';
import { newId } from '../../lib/ids.ts';
import type { Ctx } from '../../platform/context.ts';
import * as triggerStore from '../store/triggers.ts';
import { find } from './destination-trial.ts';
import { payloadFor } from './test-event.ts';

type Given = NonNullable<Input<'destinationTransformTest'>['body']>;
type Result = Reply<'destinationTransformTest'>['results'][number];
type Trials = Awaited<ReturnType<typeof openTrials>>;
type Tried = { event_id: string | null; message: Message };

/** Runs of one test at the same time. */
const AT_ONCE = 4;

/**
 * Runs a version, or files that are not deployed, with the given or the newest events of the trigger, or with the sample
 * of the event type if none is stored. Nothing is sent, and only the audit entry is stored.
 */
export async function test(
  ctx: Ctx,
  { params, body }: Input<'destinationTransformTest'>,
): Promise<Reply<'destinationTransformTest'>> {
  const given: Given = body ?? {};
  const target = await find(ctx, params);
  if (!prepare(ctx, target).kind.takesTransform)
    throw badRequest('destination_id: expected a destination whose requests can be transformed');
  const callable = await chosenCallable(ctx, target, given);
  assertMayRun(ctx, callable.fn.function_id, given);
  const tried = given.event_ids
    ? await chosenEvents(ctx, target, given.event_ids)
    : await newestEvents(ctx, target, given.limit ?? TRANSFORM_TEST_EVENTS.default);
  await write(ctx, async (_tx, about) => about(target.destination_id));
  const trials = await openTrials(ctx, callable, given.files);
  const results: Result[] = [];
  try {
    for (let at = 0; at < tried.length; at += AT_ONCE)
      results.push(
        ...(await Promise.all(tried.slice(at, at + AT_ONCE).map((each) => tryWith(ctx, target, trials, each)))),
      );
  } finally {
    trials.close();
  }
  const { fn, version } = callable;
  return { function_id: fn.function_id, version: given.files ? null : version.version, results };
}

/** Code that is not deployed runs with the function's environment variables: only who may deploy it may test it. */
function assertMayRun({ limits }: Ctx, function_id: string, { files }: Given): void {
  const refusal = limits && functionRefusal(limits, function_id);
  if (refusal) throw forbidden(refusal);
  if (files && limits?.scopes && !hasScope(limits.scopes, 'functions:write'))
    throw forbidden('This API key lacks the scope functions:write, which testing other code needs.');
}

async function chosenCallable(ctx: Ctx, target: Target, { function_id, version }: Given) {
  const own = target.transform_function_id;
  const chosen = function_id ?? own;
  if (chosen === null) throw badRequest('function_id: expected a function, as the destination has no transformation');
  const fn = await functionStore.find(ctx.db, ctx.account_id, chosen);
  if (!fn) throw badRequest('function_id: expected a function of this account');
  const number = version === undefined && chosen === own ? target.transform_version : version;
  return callableOf(ctx, fn, number ?? undefined);
}

async function chosenEvents(ctx: Ctx, { trigger_id }: Target, event_ids: string[]): Promise<Tried[]> {
  const found = await Promise.all(
    event_ids.map((event_id) => eventStore.find(ctx.db, ctx.account_id, trigger_id, event_id)),
  );
  return found.map((event, index) => {
    if (!event) throw badRequest(`event_ids.${index}: expected an event of this trigger`);
    return { event_id: event.event_id, message: { ...event, webhook_id: null } };
  });
}

async function newestEvents(ctx: Ctx, target: Target, limit: number): Promise<Tried[]> {
  const { trigger_id } = target;
  const { rows } = await eventPages.page(ctx.db, ctx.account_id, { trigger_id }, { limit });
  if (rows.length > 0)
    return chosenEvents(
      ctx,
      target,
      rows.map(({ event_id }) => event_id),
    );
  const trigger = await triggerStore.find(ctx.db, ctx.account_id, trigger_id);
  if (!trigger) throw notFound('Trigger');
  const payload = JSON.stringify(await payloadFor(ctx, trigger, undefined));
  const { account_id } = ctx;
  const event = { account_id, trigger_id, event_id: newId(), received_at: now(), payload };
  return [{ event_id: null, message: { ...event, webhook_id: null, request: null } }];
}

async function tryWith(ctx: Ctx, target: Target, trials: Trials, { event_id, message }: Tried): Promise<Result> {
  const { received_at } = message;
  const none = {
    event_id,
    received_at,
    input: '',
    before: null,
    after: null,
    error: null,
    logs: [],
    duration_ms: null,
  };
  try {
    const { build } = prepare(ctx, target);
    const full = await fullMessage(ctx, target, message);
    const outgoing = build(full);
    const input = inputOf(target, full, outgoing);
    const { text, problem, logs, error, duration_ms } = await trials.run(inputHeaders(full), Buffer.from(input));
    const made = problem === null ? outcomeOf(text, outgoing) : { outcome: 'FAILED' as const, message: problem };
    const after = made.outcome === 'SENT' ? build({ ...full, changes: made.changes }).shown : null;
    return {
      ...{
        event_id,
        received_at,
        input,
        outcome: made.outcome,
        before: outgoing.shown,
        after,
        error,
        logs,
        duration_ms,
      },
      error_message: made.outcome === 'FAILED' ? made.message : null,
    };
  } catch (error) {
    if (!(error instanceof Unrenderable)) throw error;
    return { ...none, outcome: 'FAILED', error_message: error.message };
  }
}
