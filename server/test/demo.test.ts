/** `npm run demo`: everything it shows is created through the API, and works. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { Reply } from '../../contract/operations.ts';
import { spawnedForEach } from './shared-set-up.ts';
import { freePort } from './spawned.ts';

const { folder, run } = spawnedForEach();
const PATIENTLY = { timeout: 300_000, interval: 500 };
/** It deploys seventy functions, which takes a minute where nothing else runs. */
const TEST_MS = 600_000;
const command = { file: process.execPath, args: ['scripts/demo.ts'], cwd: join(import.meta.dirname, '../..') };

describe('the demo', () => {
  it(
    'has connected apps, functions of several accounts, and deliveries that succeed and fail',
    async () => {
      const demo = await run(folder(), await freePort(3), {}, command);
      const get = async <T>(path: string) => (await demo.call<T>('GET', path)).body;
      try {
        await vi.waitFor(() => expect(demo.output()).toContain('can be searched'), PATIENTLY);
        expect(demo.output()).not.toMatch(/Error/);

        const { connections } = await get<Reply<'connectionList'>>('/connections');
        expect(connections.map(({ app, status }) => [app, status]).sort()).toEqual([
          ['ledger', 'ACTIVE'],
          ['rates', 'ACTIVE'],
        ]);
        const { functions } = await get<Reply<'functionList'>>('/functions?limit=100');
        expect(functions).toHaveLength(10);
        const { functions: all } = await get<Reply<'functionList'>>('/functions?owner=ALL&limit=100');
        expect(all).toHaveLength(70);
        const { triggers } = await get<Reply<'triggerList'>>('/triggers');
        expect(triggers.flatMap(({ destinations }) => destinations)).toHaveLength(18);

        // An order is booked by a function, through the gateway, with a token of the provider.
        const succeeded = async (name: string) => {
          const { function_id } = functions.find((each) => each.name === name) ?? {};
          const { runs } = await get<Reply<'runList'>>(`/functions/${function_id}/runs?status=OK`);
          expect(runs.length).toBeGreaterThan(0);
        };
        await vi.waitFor(() => succeeded('order-intake'), PATIENTLY);
        await vi.waitFor(() => succeeded('invoice-sync'), PATIENTLY);
        await vi.waitFor(() => succeeded('pr-notify'), PATIENTLY);
        await vi.waitFor(async () => {
          const { problems } = await get<Reply<'problemList'>>('/problems');
          expect(problems.map(({ title }) => title)).toContainEqual(expect.stringContaining('currency_not_enabled'));
        }, PATIENTLY);
      } finally {
        // Its service would outlive it otherwise.
        expect(await demo.kill('SIGTERM')).toBe(0);
      }
    },
    TEST_MS,
  );

  it('names its ports if one is in use, and starts nothing', async () => {
    const port = await freePort(3);
    const taken = createServer().listen(port + 1, '127.0.0.1');
    await once(taken, 'listening');
    const demo = await run(folder(), port, {}, command);
    expect(await demo.ended).toBe(1);
    expect(demo.output()).toContain(`${port}, ${port + 1} and ${port + 2}`);
    expect(demo.output()).not.toContain('is ready');
    taken.close();
  });
});
