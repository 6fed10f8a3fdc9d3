import { hasPlaceholders } from '../../../contract/text/url-template.ts';
import { now } from '../../lib/clock.ts';
import type { Services } from '../../platform/context.ts';
import type { Trace } from '../../platform/tracing/trace.ts';
import type { Facts } from '../../platform/tracing/tracing.ts';
import type { Pipeline } from '../intake/intake.ts';
import type { Route } from '../intake/routes.ts';
import type { Target } from '../store/destinations/destinations.ts';
import * as attemptStore from '../store/queue/attempts.ts';
import type { Completion } from '../store/queue/delivery-queue.ts';
import type { Lease } from '../store/queue/lease.ts';
import * as replayStore from '../store/replays/replays.ts';
import { changedTarget } from '../targets/changed-target.ts';
import { type Senders, unbuiltRequest } from '../targets/targets.ts';
import { type Transformer, transformerOf } from '../transforms/transform.ts';
import { exchange } from './exchange.ts';
import { judge } from './outcome.ts';

/**
 * The destination of a lease. A missing, disabled or paused destination is read again, because another node may have
 * changed it.
 */
export async function targetOf({ routes }: Pick<Pipeline, 'routes'>, lease: Lease): Promise<Target | undefined> {
  const target = inRoute(routes.known(lease), lease);
  if (target && target.status !== 'DISABLED' && target.paused_at === null) return target;
  routes.forget(lease.trigger_id);
  return inRoute(await routes.find(lease), lease);
}

const inRoute = (route: Route | undefined, { destination_id }: Lease): Target | undefined =>
  route?.receivers.find(({ target }) => target.destination_id === destination_id)?.target;

/** Makes one attempt if one is due, and returns the outcome of the lease. */
export async function attempt(
  services: Services,
  senders: Senders,
  lease: Lease,
  target: Target | undefined,
): Promise<Completion> {
  if (!target) return unsent(lease, 'CANCELED', 'CANCELED');
  if (target.status === 'DISABLED') return unsent(lease, 'SKIPPED', 'DESTINATION_DISABLED');
  const started_at = now();
  const startedMs = performance.now();
  const { trigger_id, event_id, delivery_id, number } = lease;
  const cause = { trigger_id, event_id, delivery_id, attempt: number };
  const changes = lease.replay_id === null ? undefined : await changesOfReplay(services, lease.replay_id, target);
  const asSent = changes ? changedTarget(target, changes) : target;
  const isThen = changes?.transform_then ?? false;
  const span = services.tracing?.start('delivery attempt', 'CLIENT', traceOf(lease), factsOf(lease));
  const transformer = await transformerFor(services, lease, asSent, isThen);
  const { request, result, transform, isSkipped } = await exchange(
    services,
    senders,
    span ? { ...lease, ...span.trace } : lease,
    asSent,
    { transformer, cause },
  );
  if (isSkipped) {
    span?.end({ outcome: 'SKIPPED' }, false);
    return { ...unsent(lease, 'SKIPPED', 'TRANSFORM_SKIPPED'), transform };
  }
  const schedule = target.retry_schedule === null ? services.settings.retryScheduleSeconds : readSchedule(target);
  const outcome = judge(result, schedule, lease.step, Math.random(), lease.held_ms);
  const { response, run_id, function_id } = result;
  span?.end({ status: response?.status, run_id, outcome: outcome.reason ?? outcome.status }, outcome.reason !== null);
  return {
    ...keyOf(lease),
    status: outcome.status,
    reason: outcome.reason,
    retry_ms: outcome.retry_ms,
    restart_ms: outcome.restart_ms,
    used: outcome.used,
    finished_at: now(),
    was_failing: target.failing_since !== null,
    sent: {
      started_at,
      duration_ms: Math.round(performance.now() - startedMs),
      ...attemptStore.requestColumns(request ?? unbuiltRequest(target), lease.payload),
      response_status: response?.status ?? null,
      response_headers: response ? JSON.stringify(response.headers) : null,
      response_body: response?.body ?? null,
      response_truncated: response?.truncated ?? false,
      error_message: isGoneResource(outcome.reason, request?.url, target) ? GONE_RESOURCE : outcome.message,
      run_id,
      function_id,
      replay_id: lease.replay_id,
      webhook_id: lease.webhook_id,
      transform_function_id: transform?.function_id ?? null,
      transform_version: transform?.version ?? null,
      transform_run_id: transform?.run_id ?? null,
    },
  };
}

const traceOf = ({ traceparent, tracestate }: Lease): Trace | undefined =>
  traceparent ? { traceparent, tracestate: tracestate ?? null } : undefined;

function factsOf({ account_id, trigger_id, event_id, delivery_id, destination_id, number }: Lease): Facts {
  return { account_id, trigger_id, event_id, delivery_id, destination_id, attempt: number };
}

/** What the replay that sent the delivery again changes in its requests. */
function changesOfReplay({ db, memory }: Services, replay_id: string, { account_id }: Target) {
  const look = () => replayStore.changesOf(db, account_id, replay_id);
  return memory.replayChanges.find(`${account_id} ${replay_id}`, look);
}

/** What transforms the request: as the destination says, or as in the last attempt if a replay asked for that. */
async function transformerFor(
  { db }: Services,
  lease: Lease,
  target: Target,
  isThen: boolean,
): Promise<Transformer | null> {
  const now = transformerOf(target);
  const mayAsk = lease.origin === 'REPLAY' && lease.replay_id === null;
  if (!isThen && !mayAsk) return now;
  const last = await attemptStore.lastTransform(db, lease);
  return last && (isThen || last.transform_then) ? last.transformer : now;
}

/** 410 for another URL than the destination's is about one resource, and does not disable the destination. */
const isGoneResource = (reason: string | null, sent: string | undefined, { url }: Target) =>
  reason === 'GONE' && (hasPlaceholders(url) || (sent !== undefined && sent !== url));
const GONE_RESOURCE = 'The endpoint returned 410: it has no such resource.';

const readSchedule = ({ retry_schedule }: Target) => JSON.parse(retry_schedule ?? '[]') as number[];

function unsent(lease: Lease, status: Completion['status'], reason: Completion['reason']): Completion {
  return {
    ...keyOf(lease),
    status,
    reason,
    retry_ms: null,
    restart_ms: null,
    used: 0,
    finished_at: now(),
    was_failing: false,
    sent: null,
  };
}

function keyOf({ account_id, event_id, delivery_id, number, step, generation, origin, isOrdered = false }: Lease) {
  return { account_id, event_id, delivery_id, number, step, generation, origin, isOrdered };
}
