/** Measures the first searches after a start, at once and after the warm-up (server/search/query/warm-up.ts). */
import { setTimeout } from 'node:timers/promises';
import type { Spawned } from '../../server/test/spawned.ts';
import { quantile } from '../quantile.ts';
import { cpuOf } from './cpu.ts';
import type { Query } from './queries.ts';

/** Searches after each start. */
const EACH = 20;
/** The warm-up is over when the service uses less than this share of a core for this time. */
const IDLE_SHARE = 0.1;
const IDLE_MS = 1000;

export type FirstSearches = {
  /** Starts the service and waits for a complete index. */
  start: () => Promise<Spawned>;
  search: (node: Spawned, query: Query) => Promise<unknown>;
  /** Distinct ones: a repeated query is served from the cache. */
  queries: Query[];
};

/** `starts` times for each row. */
export async function* firstSearches(starts: number, given: FirstSearches): AsyncGenerator<string> {
  yield '| first searches of identifiers after a start, ms | first | p50 / p95 of 20 |';
  yield '|---|---:|---:|';
  for (const isWarm of [false, true]) {
    const first: number[] = [];
    const all: number[] = [];
    for (let times = 0; times < starts; times++) {
      const node = await given.start();
      try {
        if (isWarm) await untilIdle(node.pid);
        // the service may have closed an idle connection
        await fetch(`${node.url}/readyz`).catch(() => undefined);
        const from = (times * EACH) % given.queries.length;
        for (const [at, query] of given.queries.slice(from, from + EACH).entries()) {
          const startMs = performance.now();
          await given.search(node, query);
          const ms = performance.now() - startMs;
          all.push(ms);
          if (at === 0) first.push(ms);
        }
      } finally {
        await node.kill('SIGTERM');
      }
    }
    const [p50, p95] = [quantile(all, 0.5), quantile(all, 0.95)].map((ms) => ms.toFixed(1));
    const each = first.map((ms) => ms.toFixed(0)).join(', ');
    yield `| ${isWarm ? 'after the warm-up' : 'at once, before the warm-up'} | ${each} | ${p50} / ${p95} |`;
  }
}

async function untilIdle(pid: number): Promise<void> {
  for (let before = cpuOf(pid); ; ) {
    await setTimeout(IDLE_MS);
    const now = cpuOf(pid);
    if ((now - before) * 1000 < IDLE_SHARE * IDLE_MS) return;
    before = now;
  }
}
