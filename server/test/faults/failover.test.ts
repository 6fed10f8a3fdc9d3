/** The primary database is lost under traffic, and its synchronous standby takes over. */
import { afterAll, expect, it } from 'vitest';
import { startFaultProxy } from '../fault-proxy.ts';
import { startSink } from '../sink.ts';
import { freePort, scratch, start } from '../spawned.ts';
import { expectGood, judge, print, type Verdict, whenRecovered } from './ledger.ts';
import { startPair } from './standby.ts';
import { beside, makeTarget, startWriters } from './world.ts';

const verdicts: Verdict[] = [];
afterAll(() => print('failover', verdicts));

it('the standby has every acknowledged event', async () => {
  const at = '/failover';
  const folder = scratch();
  const sink = await startSink();
  const { primary, standby, stop } = await startPair();
  const way = await startFaultProxy(primary.socket);
  const { user, database } = primary.config;
  const DATABASE_URL = `postgres://${user}@127.0.0.1:${way.port}/${database}`;
  const node = await start(folder.path, await freePort(), { DATABASE_URL });
  expect(node.output()).toContain('Sluice is ready');
  const now = beside(standby.config);
  try {
    const target = await makeTarget(node, [{ url: sink.url + at, retry_schedule: [1, 1, 1, 1] }]);
    const writers = startWriters(() => [node], target);
    await writers.more(500);
    await primary.kill();
    const atMs = performance.now();
    const promoted = await standby.client();
    await promoted.query('select pg_promote()');
    await promoted.end();
    way.leadTo(standby.socket);
    way.reset();
    await writers.more(500);
    await writers.stop();
    const field = { sink, paths: [at], database: now.client };
    const recoveredMs = await whenRecovered(field, writers.acknowledged, atMs);
    const verdict = await judge('the primary killed, the standby promoted', field, writers.acknowledged, recoveredMs);
    verdicts.push(verdict);
    expectGood(verdict);
  } finally {
    await node.kill('SIGKILL');
    await now.close();
    await way.close();
    await sink.close();
    await stop();
    folder.remove();
  }
});
