import type { Reply } from '../../../contract/operations.ts';
import { mayReplay } from '../../../contract/states.ts';
import type { Ctx } from '../../platform/context.ts';
import { describeAttempt } from '../events/event-shapes.ts';
import type { Target } from '../store/destinations/destinations.ts';
import * as destinationStore from '../store/destinations/destinations.ts';
import * as eventStore from '../store/events/events.ts';
import * as attemptStore from '../store/queue/attempts.ts';
import type { Candidate, ReplayChanges } from '../store/replays/replays.ts';
import { changedTarget } from '../targets/changed-target.ts';
import { Unrenderable } from '../targets/message-body.ts';
import { requestFor, unsentBecause } from '../targets/targets.ts';
import { transformerOf } from '../transforms/transform.ts';

type Item = NonNullable<Reply<'replayCreate'>['dry_run']>['items'][number];

const AT_ONCE = 4;

/**
 * The request that would be sent now for each delivery, with the changes of the replay, and the last request sent.
 * Nothing is sent; secrets are masked
 * in both.
 */
export async function dryRunOf(ctx: Ctx, candidates: Candidate[], changes: ReplayChanges): Promise<Item[]> {
  const { account_id } = ctx;
  const found = await destinationStore.targets(
    ctx.db,
    candidates.map(({ destination_id }) => ({ account_id, destination_id })),
  );
  const targets = new Map(found.map((target) => [target.destination_id, changedTarget(target, changes)]));
  const items: Item[] = [];
  // Several at a time, as transformations may take a second each.
  for (let at = 0; at < candidates.length; at += AT_ONCE) {
    const some = candidates.slice(at, at + AT_ONCE);
    const made = some.map((each) => itemOf(ctx, each, targets.get(each.destination_id), changes.transform_then));
    items.push(...(await Promise.all(made)));
  }
  return items;
}

async function itemOf(ctx: Ctx, candidate: Candidate, target: Target | undefined, isThen: boolean): Promise<Item> {
  const { event_id, trigger_id, delivery_id, destination_id, destination_name } = candidate;
  const last = await attemptStore.latest(ctx.db, ctx.account_id, event_id, delivery_id);
  const verdict = mayReplay(target);
  const made = verdict.can && target ? await make(ctx, candidate, target, isThen) : { next: null, problem: null };
  return {
    event_id,
    trigger_id,
    destination_id,
    destination_name,
    before_status: candidate.status,
    last: last ? describeAttempt(last).request : null,
    next: made.next,
    problem: verdict.can ? made.problem : verdict.reason,
  };
}

async function make(
  ctx: Ctx,
  { trigger_id, event_id, delivery_id }: Candidate,
  target: Target,
  isThen: boolean,
): Promise<Pick<Item, 'next' | 'problem'>> {
  const event = await eventStore.find(ctx.db, ctx.account_id, trigger_id, event_id);
  if (!event) return { next: null, problem: 'The event is no longer stored.' };
  try {
    const { account_id } = ctx;
    const last = isThen ? await attemptStore.lastTransform(ctx.db, { account_id, event_id, delivery_id }) : undefined;
    const transformer = last ? last.transformer : transformerOf(target);
    const message = { ...event, webhook_id: null };
    const { outgoing, transformed } = await requestFor(ctx, target, message, { transformer, cause: null });
    return { next: outgoing?.shown ?? null, problem: unsentBecause(transformed)?.message ?? null };
  } catch (error) {
    if (error instanceof Unrenderable) return { next: null, problem: error.message };
    throw error;
  }
}
