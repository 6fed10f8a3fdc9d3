/**
 * Three processes on one database with fifty callers each, when a token expires: exactly one request is sent to the
 * provider, which would revoke the grant after a second one.
 */
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Service, startService } from '../../test/service.ts';
import { freePort, type Spawned, start } from '../../test/spawned.ts';
import { addCloud, callbackOf, connectAt } from './oauth-flow.ts';
import { type OAuthProvider, startProvider } from './oauth-provider.ts';

const NODES = 3;
const CALLERS = 50;
const ENDS = 3;

let service: Service;
let provider: OAuthProvider;
let nodes: Spawned[] = [];
beforeAll(async () => {
  const master = `k1:${randomBytes(32).toString('base64')}`;
  service = await startService({ env: { SLUICE_MASTER_KEY: master } });
  provider = await startProvider({ redirect_urls: [callbackOf(service)] });
  const env = { DATABASE_URL: service.databaseUrl, SLUICE_MASTER_KEY: master };
  nodes = await Promise.all(Array.from({ length: NODES }, async () => start(service.dataDir, await freePort(), env)));
});
afterAll(async () => {
  for (const node of nodes) await node.kill('SIGTERM');
  await service.stop();
  await provider.close();
});

it('exactly one node refreshes it, and every call succeeds', async () => {
  const app = await addCloud(service, provider);
  const { id } = await connectAt(service, app);

  const call = async ({ url }: Spawned) => {
    const answer = await fetch(`${url}/api/${app}/whoami`, { headers: { authorization: `Bearer ${service.key}` } });
    return `${answer.status} ${await answer.text()}`;
  };
  const good = `200 {"sub":"mira","client_id":"${provider.client.client_id}","scope":"openid read"}`;
  const answers: string[] = [];
  for (let end = 0; end < ENDS; end++) {
    // Each node has cached the token that will expire.
    expect(await Promise.all(nodes.map((node) => call(node)))).toEqual(Array(NODES).fill(good));
    await provider.endAccess();
    await anHourPasses(id);
    const round = await Promise.all(
      nodes.flatMap((node) => Array.from({ length: CALLERS }, () => call(node).catch(String))),
    );
    answers.push(...round);
  }
  expect(answers.filter((answer) => answer !== good)).toEqual([]);
  expect(answers).toHaveLength(NODES * CALLERS * ENDS);
  expect(provider.calls.filter(({ grant }) => grant === 'refresh_token')).toEqual(
    Array(ENDS).fill({ grant: 'refresh_token', ok: true }),
  );
  expect(provider.revoked).toEqual([]);
});

/** Makes the token expired and old for the service. */
async function anHourPasses(connection_id: string): Promise<void> {
  await sql`
    update connections set token_expires_at = token_expires_at - interval '1 hour',
      refreshed_at = refreshed_at - interval '1 hour' where connection_id = ${connection_id}
  `.execute(service.services.db);
}
