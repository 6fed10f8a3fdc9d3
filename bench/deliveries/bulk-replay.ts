/** How long a bulk replay is asked for, and gathered, when a month of events lies there. */
import type { Body, Reply } from '../../contract/operations.ts';
import type { Spawned } from '../../server/test/spawned.ts';
import { quantile } from '../quantile.ts';
import type { Names } from './history.ts';

const ROUNDS = 10;

export type Asked = {
  name: string;
  status: number;
  /** That the answer knows of, and at the end. */
  atOnce: number;
  total: number;
  ended: string;
  dryMs: number[];
  askMs: number[];
  gatheredMs: number;
};

type Wish = Body<'replayCreate'>;
type Replay = NonNullable<Reply<'replayCreate'>['replay']>;

/** Each is previewed and then run for real, all in turn, and gathered to its end once. None sends anything. */
export async function bulkReplays(service: Spawned, names: Names, middle: string): Promise<Asked[]> {
  const [trigger_id, destination_id] = [names.triggers[3], names.destinations[3]];
  const wishes: [string, Wish][] = [
    ['what failed', { filter: { status: 'FAILED' }, only_failed: true }],
    ['what failed of a trigger', { filter: { trigger_id, status: 'FAILED' }, only_failed: true }],
    ['all of a trigger', { filter: { trigger_id } }],
    ['all to a destination', { filter: { destination_id } }],
    ['all after a moment, too many', { filter: { received_after: middle } }],
    ['answered 404', { filter: { response_status: '404' } }],
    ['a text that one has', { filter: { q: '"order":500003,' } }],
    ['a text that none has', { filter: { q: 'nothing-has-this' } }],
  ];
  const asked = wishes.map(
    ([name]): Asked => ({ name, status: 0, atOnce: 0, total: 0, ended: '', dryMs: [], askMs: [], gatheredMs: 0 }),
  );
  for (let round = 0; round < ROUNDS; round++)
    for (const [index, [, wish]] of wishes.entries()) {
      const row = asked[index];
      if (!row) continue;
      const body = { ...wish, rate_per_second: 0.1 };
      let startedMs = performance.now();
      await service.call('POST', '/events:replay', { ...body, dry_run: true });
      row.dryMs.push(performance.now() - startedMs);
      startedMs = performance.now();
      const { status, body: reply } = await service.call<Reply<'replayCreate'>>('POST', '/events:replay', body);
      row.askMs.push(performance.now() - startedMs);
      row.status = status;
      if (!reply.replay) continue;
      row.atOnce = reply.replay.total;
      if (round === 0) {
        const gathered = await whenGathered(service, reply.replay);
        row.gatheredMs = performance.now() - startedMs;
        row.total = gathered.total;
        row.ended = gathered.status;
      }
      await service.call('POST', `/replays/${reply.replay.replay_id}:cancel`);
    }
  return asked;
}

async function whenGathered(service: Spawned, { replay_id }: Replay): Promise<Replay> {
  for (;;) {
    const { body } = await service.call<{ replay: Replay }>('GET', `/replays/${replay_id}`);
    if (!body.replay.gathering) return body.replay;
    await new Promise((ok) => setTimeout(ok, 20));
  }
}

/** The table of them. */
export function tableOf(asked: Asked[]): string[] {
  return [
    '| bulk replay of | deliveries in the answer | in all | dry run p50/p95 ms | asked for p50/p95 ms | all found after ms |',
    '|---|---|---|---|---|---|',
    ...asked.map(({ name, status, atOnce, total, ended, dryMs, askMs, gatheredMs }) => {
      const both = (times: number[]) => [0.5, 0.95].map((at) => quantile(times, at).toFixed(0)).join(' / ');
      const all = ended === 'STOPPED' ? `${total}, stopped` : total;
      const figures = [status === 200 ? atOnce : `**${status}**`, all, both(dryMs), both(askMs), gatheredMs.toFixed(0)];
      return `| ${name} | ${figures.join(' | ')} |`;
    }),
    '',
  ];
}
