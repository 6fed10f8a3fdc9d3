import type { Agent } from 'undici';
import { type Batcher, createBatcher } from '../../lib/batcher.ts';
import { now } from '../../lib/clock.ts';
import type { Completion, Lease } from '../../store/delivery-queue.ts';
import type { Target } from '../../store/destinations.ts';
import * as destinationStore from '../../store/destinations.ts';
import type { Services } from '../context.ts';
import { exchange } from './exchange.ts';
import { judge } from './outcome.ts';

/** Looks up where leases go, together for those that are about to leave. Destinations change: what counts is now. */
export type Targets = Batcher<Lease, Target | undefined>;

export function createTargets({ db }: Services): Targets {
  return createBatcher(
    async (leases) => {
      const found = await destinationStore.targets(
        db,
        leases.map(({ account_id, destination_id }) => ({ account_id, destination_id })),
      );
      const byId = new Map(found.map((target) => [target.destination_id, target]));
      return leases.map(({ destination_id }) => byId.get(destination_id));
    },
    { max: 128, atOnce: 2 },
  );
}

/** Makes one attempt, where there is one to make, and answers what became of the lease. */
export async function attempt(
  services: Services,
  agent: Agent,
  lease: Lease,
  target: Target | undefined,
): Promise<Completion> {
  if (!target) return unsent(lease, 'CANCELED', 'CANCELED');
  if (target.status === 'DISABLED') return unsent(lease, 'SKIPPED', 'DESTINATION_DISABLED');
  const started_at = now();
  const startedMs = performance.now();
  const { trigger_id, event_id, delivery_id, number } = lease;
  const cause = { trigger_id, event_id, delivery_id, attempt: number };
  const { outgoing, answer } = await exchange(services, agent, lease, target, cause);
  const schedule = target.retry_schedule === null ? services.settings.retryScheduleSeconds : readSchedule(target);
  const outcome = judge(answer, schedule, lease.step);
  const { response, run_id, function_id } = answer;
  return {
    ...keyOf(lease),
    status: outcome.status,
    reason: outcome.reason,
    retry_ms: outcome.retry_ms,
    restart_ms: outcome.restart_ms,
    finished_at: now(),
    was_failing: target.failing_since !== null,
    sent: {
      started_at,
      duration_ms: Math.round(performance.now() - startedMs),
      request_method: outgoing?.method ?? target.method,
      request_url: outgoing?.url ?? target.url,
      request_headers: JSON.stringify(outgoing?.shown ?? {}),
      request_body: outgoing?.body ?? null,
      response_status: response?.status ?? null,
      response_headers: response ? JSON.stringify(response.headers) : null,
      response_body: response?.body ?? null,
      response_truncated: response?.truncated ?? false,
      error_message: outcome.message,
      run_id,
      function_id,
      replay_id: lease.replay_id,
      webhook_id: lease.webhook_id,
    },
  };
}

const readSchedule = ({ retry_schedule }: Target) => JSON.parse(retry_schedule ?? '[]') as number[];

function unsent(lease: Lease, status: Completion['status'], reason: Completion['reason']): Completion {
  return {
    ...keyOf(lease),
    status,
    reason,
    retry_ms: null,
    restart_ms: null,
    finished_at: now(),
    was_failing: false,
    sent: null,
  };
}

function keyOf({ account_id, event_id, delivery_id, number, step, generation, origin }: Lease) {
  return { account_id, event_id, delivery_id, number, step, generation, origin };
}
