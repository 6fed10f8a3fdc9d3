import { AggregatorRegistry, Gauge } from 'prom-client';
import { isDoneWithin } from '../lib/time-limit.ts';
import type { ToMain, ToService } from './messages.ts';

/** One metrics page of all service processes. */
export type MetricsPages = {
  add(process: Member): void;
  remove(process: Member): void;
  receive(process: Member, message: Extract<ToMain, { type: 'metrics' }>): void;
  /** Without the processes that do not answer in time. */
  make(): Promise<string>;
};
export type Member = { send(message: ToService): void };

const ANSWER_MS = 1_000;

export function createMetricsPages(): MetricsPages {
  const members = new Set<Member>();
  const open = new Map<number, { waiting: Set<Member>; metrics: unknown[][]; done: () => void }>();
  let last = 0;
  const settle = (asked: number, member: Member) => {
    const round = open.get(asked);
    round?.waiting.delete(member);
    if (round?.waiting.size === 0) round.done();
  };
  return {
    add: (member) => void members.add(member),
    remove(member) {
      members.delete(member);
      for (const asked of open.keys()) settle(asked, member);
    },
    receive(member, { asked, metrics }) {
      open.get(asked)?.metrics.push(metrics);
      settle(asked, member);
    },
    async make() {
      const asked = ++last;
      const all = Promise.withResolvers<void>();
      const round = { waiting: new Set(members), metrics: [] as unknown[][], done: all.resolve };
      open.set(asked, round);
      for (const { send } of members) send({ type: 'metrics', asked });
      if (members.size === 0) all.resolve();
      await isDoneWithin(all.promise, ANSWER_MS);
      open.delete(asked);
      const page = AggregatorRegistry.aggregate(round.metrics);
      const help = 'Service processes on this page.';
      new Gauge({ name: 'sluice_processes', help, registers: [page] }).set(round.metrics.length);
      return page.metrics();
    },
  };
}
