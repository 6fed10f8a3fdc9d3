/** What the installation of the drill has: triggers with a destination each, and a function. */

import { request } from 'node:http';
import type { Reply } from '../../contract/operations.ts';
import { KEY, type Spawned } from '../../server/test/spawned.ts';
import { SOURCE_SECRET, VERIFICATION } from '../deliveries/message.ts';

export type Place = Spawned;
export type Target = { path: string };

const TRIGGERS = 10;
const CODE = "export default { fetch: () => new Response('here') };";

export async function makeTriggers(service: Place, receiver: string): Promise<Target[]> {
  const targets: Target[] = [];
  for (let n = 0; n < TRIGGERS; n++) {
    const { body } = await service.call<{ trigger: { ingress: { url: string } } }>('POST', '/triggers', {
      source: 'webhook',
      event_type: 'webhook.received',
      name: `Live ${n}`,
      parameters: VERIFICATION,
      secret: SOURCE_SECRET,
      destinations: [{ url: `${receiver}/d/${n}`, name: `Live receiver ${n}` }],
    });
    targets.push({ path: new URL(body.trigger.ingress.url).pathname });
  }
  return targets;
}

export async function makeFunction(service: Place): Promise<{ call(node: Place): Promise<void> }> {
  const { body } = await service.call<Reply<'functionCreate'>>('POST', '/functions', {
    name: 'Here',
    runtime: 'nodejs24.x',
    files: { 'index.ts': CODE },
  });
  const { host } = new URL(body.function.url);
  return {
    async call(node) {
      const status = await statusOf(node.url, host);
      if (status !== 200) throw new Error(`the function returned ${status} on ${node.url}`);
    },
  };
}

/** `fetch` does not send another host. */
function statusOf(url: string, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    request(url, { headers: { host, authorization: `Bearer ${KEY}` } }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    })
      .on('error', reject)
      .end();
  });
}
