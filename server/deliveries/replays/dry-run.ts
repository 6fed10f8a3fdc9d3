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
import { requestFor } from '../targets/targets.ts';

type Item = NonNullable<Reply<'replayCreate'>['dry_run']>['items'][number];

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
  for (const candidate of candidates) items.push(await itemOf(ctx, candidate, targets.get(candidate.destination_id)));
  return items;
}

async function itemOf(ctx: Ctx, candidate: Candidate, target: Target | undefined): Promise<Item> {
  const { event_id, trigger_id, delivery_id, destination_id, destination_name } = candidate;
  const last = await attemptStore.latest(ctx.db, ctx.account_id, event_id, delivery_id);
  const verdict = mayReplay(target);
  const made = verdict.can && target ? await make(ctx, candidate, target) : { next: null, problem: null };
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
  { trigger_id, event_id }: Candidate,
  target: Target,
): Promise<Pick<Item, 'next' | 'problem'>> {
  const event = await eventStore.find(ctx.db, ctx.account_id, trigger_id, event_id);
  if (!event) return { next: null, problem: 'The event is no longer stored.' };
  try {
    const { outgoing } = await requestFor(ctx, target, { ...event, webhook_id: null });
    return { next: outgoing.shown, problem: null };
  } catch (error) {
    if (error instanceof Unrenderable) return { next: null, problem: error.message };
    throw error;
  }
}
