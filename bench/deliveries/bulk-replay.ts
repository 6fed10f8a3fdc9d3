/** Measures the creation of bulk replays, and the gathering of their deliveries, over a month of events. */
import type { Body, Reply } from '../../contract/operations.ts';
import type { Spawned } from '../../server/test/spawned.ts';
import { quantile } from '../quantile.ts';
import type { Names } from './history.ts';

const ROUNDS = 10;

export type BulkReplay = {
  name: string;
  status: number;
  /** Deliveries in the response, and when gathering has ended. */
  atOnce: number;
  total: number;
  ended: string;
  dryMs: number[];
  createMs: number[];
  gatheredMs: number;
};

type Request = Body<'replayCreate'>;
type Replay = NonNullable<Reply<'replayCreate'>['replay']>;

/** Previews and creates each replay, in several rounds. The first round waits until it is gathered. Nothing is sent. */
export async function bulkReplays(service: Spawned, names: Names, middle: string): Promise<BulkReplay[]> {
  const [trigger_id, destination_id] = [names.triggers[3], names.destinations[3]];
  const requests: [string, Request][] = [
    ['failed', { filter: { status: 'FAILED' }, only_failed: true }],
    ['failed, of a trigger', { filter: { trigger_id, status: 'FAILED' }, only_failed: true }],
    ['all of a trigger', { filter: { trigger_id } }],
    ['all to a destination', { filter: { destination_id } }],
    ['received after a time, too many', { filter: { received_after: middle } }],
    ['response 404', { filter: { response_status: '404' } }],
    ['text in one event', { filter: { q: '"order":500003,' } }],
    ['text in no event', { filter: { q: 'nothing-has-this' } }],
  ];
  const results = requests.map(
    ([name]): BulkReplay => ({
      name,
      status: 0,
      atOnce: 0,
      total: 0,
      ended: '',
      dryMs: [],
      createMs: [],
      gatheredMs: 0,
    }),
  );
  for (let round = 0; round < ROUNDS; round++)
    for (const [index, [, request]] of requests.entries()) {
      const row = results[index];
      if (!row) continue;
      const body = { ...request, rate_per_second: 0.1 };
      let startedMs = performance.now();
      await service.call('POST', '/events:replay', { ...body, dry_run: true });
      row.dryMs.push(performance.now() - startedMs);
      startedMs = performance.now();
      const { status, body: reply } = await service.call<Reply<'replayCreate'>>('POST', '/events:replay', body);
      row.createMs.push(performance.now() - startedMs);
      row.status = status;
      if (!reply.replay) continue;
      row.atOnce = reply.replay.total;
      if (round === 0) {
        const gathered = await waitUntilGathered(service, reply.replay);
        row.gatheredMs = performance.now() - startedMs;
        row.total = gathered.total;
        row.ended = gathered.status;
      }
      await service.call('POST', `/replays/${reply.replay.replay_id}:cancel`);
    }
  return results;
}

async function waitUntilGathered(service: Spawned, { replay_id }: Replay): Promise<Replay> {
  for (;;) {
    const { body } = await service.call<{ replay: Replay }>('GET', `/replays/${replay_id}`);
    if (!body.replay.gathering) return body.replay;
    await new Promise((ok) => setTimeout(ok, 20));
  }
}

/** The results as a Markdown table. */
export function tableOf(results: BulkReplay[]): string[] {
  return [
    '| bulk replay of | deliveries in the response | total | dry run p50 / p95 ms | creation p50 / p95 ms | gathered after ms |',
    '|---|---|---|---|---|---|',
    ...results.map(({ name, status, atOnce, total, ended, dryMs, createMs, gatheredMs }) => {
      const both = (times: number[]) => [0.5, 0.95].map((at) => quantile(times, at).toFixed(0)).join(' / ');
      const all = ended === 'STOPPED' ? `${total}, stopped` : total;
      const figures = [
        status === 200 ? atOnce : `**${status}**`,
        all,
        both(dryMs),
        both(createMs),
        gatheredMs.toFixed(0),
      ];
      return `| ${name} | ${figures.join(' | ')} |`;
    }),
    '',
  ];
}
