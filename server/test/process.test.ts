/** The program as operators use it: stopped, killed, started twice, misconfigured. */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { spawnedForEach } from './shared-set-up.ts';
import { alive, descendants, freePort } from './spawned.ts';

const { folder, run } = spawnedForEach();

const CODE = { 'index.ts': 'export default { fetch: () => new Response("pong") };' };
const onLinux = existsSync('/proc/self/stat');

describe('stopping', () => {
  it('by SIGTERM ends with 0 and leaves no process', async () => {
    const service = await run(folder(), await freePort());
    await service.call('POST', '/functions', { name: 'ping', runtime: 'nodejs24.x', files: CODE });
    const below = onLinux ? descendants(service.pid) : [];
    expect(await service.kill('SIGTERM')).toBe(0);
    await expect.poll(() => alive(below)).toEqual([]);
  });

  it('by kill -9 leaves no process either, and loses nothing it acknowledged', async () => {
    const data = folder();
    const port = await freePort();
    const service = await run(data, port);
    const acknowledged: string[] = [];
    const writes = Array.from({ length: 200 }, async (_, i) => {
      const answer = await service
        .call<{ api_key: { key_id: string } }>('POST', '/api-keys', { name: `key ${i}` })
        .catch(() => undefined);
      if (answer?.status === 200) acknowledged.push(answer.body.api_key.key_id);
      if (acknowledged.length === 50) void service.kill('SIGKILL');
    });
    const below = onLinux ? descendants(service.pid) : [];
    await Promise.all(writes);
    await service.ended;
    await expect.poll(() => alive(below)).toEqual([]);

    const again = await run(data, port);
    const { body } = await again.call<{ api_keys: { key_id: string }[] }>('GET', '/api-keys');
    const kept = new Set(body.api_keys.map(({ key_id }) => key_id));
    expect(acknowledged.length).toBeGreaterThanOrEqual(50);
    expect(acknowledged.filter((id) => !kept.has(id))).toEqual([]);
  });

  it.runIf(onLinux)(
    'of the database by kill -9, again and again amid writes, is survived by the same service',
    async () => {
      const service = await run(folder(), await freePort());
      let busy = true;
      const writers = Array.from({ length: 8 }, async () => {
        // Each write is a transaction: some of the connections break between two statements.
        while (busy) await service.call('POST', '/api-keys', { name: 'amid' }).catch(() => undefined);
      });
      const works = async () => (await service.call('POST', '/api-keys', { name: 'after' })).status;
      const postmaster = () =>
        descendants(service.pid).find(({ command }) => /bin\/postgres .*-D/.test(command))?.pid ?? 0;
      let last = 0;
      for (let round = 0; round < 5; round++) {
        // Its remaining processes may still respond for a moment.
        await expect.poll(() => ![0, last].includes(postmaster())).toBe(true);
        await expect.poll(works).toBe(200);
        last = postmaster();
        expect(last).toBeGreaterThan(0);
        process.kill(last, 'SIGKILL');
      }
      await expect.poll(() => ![0, last].includes(postmaster())).toBe(true);
      await expect.poll(works).toBe(200);
      busy = false;
      await Promise.all(writers);
    },
  );
});

describe('a start that is refused', () => {
  it('on a folder that another service holds is refused with that service’s process id', async () => {
    const data = folder();
    const first = await run(data, await freePort());
    const second = await run(data, await freePort());
    expect(await second.ended).toBe(1);
    expect(second.output()).toContain(String(first.pid));
    expect((await first.call('GET', '/account')).status).toBe(200);
  });

  it('on a port in use names the port and the setting', async () => {
    const blocker = createServer();
    const port = await freePort();
    await new Promise<void>((ok) => blocker.listen(port, '127.0.0.1', ok));
    const service = await run(folder(), port);
    blocker.close();
    expect(await service.ended).toBe(1);
    expect(service.output()).toMatch(new RegExp(`Port ${port} is in use.*\\n.*SLUICE_PORT`));
  });

  it('with another master key is refused, and nothing is changed', async () => {
    const data = folder();
    const port = await freePort();
    await (await run(data, port)).kill('SIGTERM');
    const keyFile = join(data, 'master.key');
    const right = readFileSync(keyFile, 'utf8');
    expect(statSync(keyFile).mode & 0o777).toBe(0o600);
    writeFileSync(keyFile, right.replace(/:.*/, `:${Buffer.alloc(32, 7).toString('base64')}`));
    const wrong = await run(data, port);
    expect(await wrong.ended).toBe(1);
    expect(wrong.output()).toMatch(/master key is not the one/);
    writeFileSync(keyFile, right);
    expect((await (await run(data, port)).call('GET', '/account')).status).toBe(200);
  });

  it.each([
    ['SLUICE_PORT', 'eighty'],
    ['SLUICE_RATE_LIMIT', '0'],
    ['SLUICE_PROCESSES', '0'],
    ['SLUICE_PROCESSES', '5'],
    ['SLUICE_PROCESSES', 'many'],
    ['SLUICE_SPARE_PROCESSES', 'two'],
    ['SLUICE_BASE_URL', 'not an address'],
    ['SLUICE_ALLOW_PRIVATE_CIDRS', '10.0.0.0'],
    ['SLUICE_ADMIN_PASSWORD', 'short'],
    ['DATABASE_URL', 'mysql://here'],
  ])('with %s=%s names the variable', async (name, value) => {
    const service = await run(folder(), await freePort(), { [name]: value });
    expect(await service.ended).toBe(1);
    expect(service.output()).toContain(name);
    expect(service.output()).not.toMatch(/\n\s+at /);
  });

  it('on a folder that cannot be created names the folder', async () => {
    const file = join(folder(), 'a-file');
    writeFileSync(file, '');
    const service = await run(join(file, 'data'), await freePort());
    expect(await service.ended).toBe(1);
    expect(service.output()).toContain(file);
    expect(service.output()).not.toMatch(/\n\s+at /);
  });
});
