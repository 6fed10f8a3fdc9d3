/** Two nodes of one database: a version that is deployed on one makes the requests of the other. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeFunction } from '../../functions/test/functions-support.ts';
import { serviceForAll, sinkForAll } from '../../test/shared-set-up.ts';
import { freePort, type Spawned, scratch, start } from '../../test/spawned.ts';
import { makeTrigger } from './delivery-support.ts';

const env = { SLUICE_MASTER_KEY: `k1:${randomBytes(32).toString('base64')}` };

const sink = sinkForAll();
const here = serviceForAll({ env });
const folder = scratch();
let there: Spawned;
beforeAll(async () => {
  there = await start(folder.path, await freePort(), { ...env, DATABASE_URL: here.databaseUrl });
});
afterAll(async () => {
  await there.kill('SIGTERM');
  folder.remove();
});

it('uses a version that another node deployed', async () => {
  const codeOf = (v: number) => ({ 'index.js': `export default () => ({ body: { v: ${v} } });` });
  const { function_id } = await makeFunction(here, codeOf(1));
  const { trigger_id } = await makeTrigger(here, [{ url: `${sink.url}/made`, transform: { function_id } }]);
  const newest = () => sink.received('/made').at(-1)?.body;
  const sendThere = async () => {
    const headers = { authorization: `Bearer ${here.key}`, 'content-type': 'application/json' };
    const sent = await fetch(`${there.url}/api/triggers/${trigger_id}:test`, { method: 'POST', headers, body: '{}' });
    expect(sent.status).toBe(200);
    return newest();
  };
  await sendThere();
  await expect.poll(newest).toBe('{"v":1}');
  await here.api('POST', `/functions/${function_id}/versions`, { files: codeOf(2) });
  await expect.poll(sendThere).toBe('{"v":2}');
});
