/** The environment of the processes that the service starts. Linux only: it reads /proc. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { ADMIN, descendants, freePort, KEY, type Spawned, scratch, start } from '../../test/spawned.ts';
import { HELLO } from './functions-support.ts';

const MASTER_KEY = `test:${Buffer.alloc(32, 7).toString('base64')}`;
const folder = scratch();
let service: Spawned;
beforeAll(async () => {
  service = await start(folder.path, await freePort(), { SLUICE_MASTER_KEY: MASTER_KEY });
});
afterAll(async () => {
  await service.kill('SIGTERM');
  folder.remove();
});

/** Undefined for a process that has ended: some of the database end at any time. */
function environment(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

it.runIf(process.platform === 'linux')(
  'children have no secret in their environment, and build processes an empty one',
  async () => {
    const body = { name: 'Hello', runtime: 'nodejs24.x', files: { 'index.ts': HELLO } };
    const { status, body: made } = await service.call<Reply<'functionCreate'>>('POST', '/functions', body);
    expect(status).toBe(200);
    await service.call('POST', `/functions/${made.function.function_id}:invoke`, {});
    const children = descendants(service.pid);
    const builders = children.filter(({ command }) => /build\/worker\.ts|esbuild/.test(command));
    expect(builders.map(({ command }) => /worker\.ts|esbuild/.exec(command)?.[0]).toSorted()).toEqual([
      'esbuild',
      'worker.ts',
    ]);
    expect(children.length).toBeGreaterThan(4);
    for (const { pid, command } of children) {
      const known = environment(pid) ?? '';
      for (const secret of [KEY, ADMIN.password, MASTER_KEY, 'SLUICE_', 'DATABASE_URL'])
        expect(known, command).not.toContain(secret);
    }
    for (const { pid } of builders) {
      const names = environment(pid)
        ?.split('\0')
        .map((each) => each.split('=')[0]);
      expect(names?.filter((name) => name && !/^(PWD|OLDPWD|_|SHLVL|NODE_CHANNEL_\w+)$/.test(name))).toEqual([]);
      expect(readFileSync(`/proc/${pid}/oom_score_adj`, 'utf8').trim()).toBe('1000');
      expect(readFileSync(`/proc/${pid}/limits`, 'utf8')).toMatch(/Max data size +1073741824/);
    }
  },
);
