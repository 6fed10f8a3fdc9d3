/** The example for continuous integration in docs/reference/functions.md. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { serviceForAll } from '../../test/shared-set-up.ts';
import { invoke, makeFunction } from './functions-support.ts';

const service = serviceForAll();
const page = readFileSync('docs/reference/functions.md', 'utf8');
const part = page.slice(page.indexOf('## Shadows'), page.indexOf('### What a shadow runs'));
const body = part.match(/```json\n(.+?)```/s)?.[1] ?? '';
const script = part.match(/```bash\n(.+?)```/s)?.[1] ?? '';

it('deploys a version that passes, and ends with 1 for one that fails', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-shadow-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const fn = await makeFunction(service, 'export default ({ method }) => ({ method });');
  for (const method of ['GET', 'POST'] as const) await invoke(service, fn, { method });
  const env = { ...process.env, API_KEY: service.key, BASE_URL: `${service.url}/api`, FUNCTION_ID: fn.function_id };
  const run = () => promisify(execFile)('bash', ['-c', script], { cwd: folder, env });
  const live = async () =>
    (await service.api<Reply<'functionGet'>>('GET', `/functions/${fn.function_id}`)).body.function.version;

  writeFileSync(join(folder, 'shadow.json'), body);
  const { stdout } = await run();
  expect(stdout).toContain('"PASSED"');
  expect(await live()).toBe(2);

  writeFileSync(
    join(folder, 'shadow.json'),
    body.replace('Response.json({ method: request.method })', "{ throw new Error('no') }"),
  );
  await expect(run()).rejects.toMatchObject({ code: 1, stdout: expect.stringContaining('failed with version 3') });
  expect(await live()).toBe(2);
});

it('the table of fields has the defaults of the contract', () => {
  const names = [...part.matchAll(/^\| `budget\.(\w+)` /gm)].map(([, name]) => name);
  expect(names).toEqual(['no_new_failures', 'no_changed_responses', 'no_new_hosts', 'max_slower_percent']);
});
