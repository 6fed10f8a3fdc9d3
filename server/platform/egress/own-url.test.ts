import { expect, test } from 'vitest';
import { createEgress } from './egress.ts';
import { createOwnUrl } from './own-url.ts';

test('why the gateway may not call the service is known once its URL was checked', async () => {
  const blocked = createOwnUrl(createEgress([]), 'http://127.0.0.1:4000');
  await expect.poll(blocked).toBe('127.0.0.1 is not a public address (loopback)');
  const hosts = { hosts: ['api.example.com'], tlsOnly: false };
  const unlisted = createOwnUrl(createEgress(['127.0.0.0/8'], undefined, undefined, hosts), 'http://127.0.0.1:4000');
  await expect.poll(unlisted).toBe('127.0.0.1 is not among the hosts that this installation may call');
  const egress = createEgress(['127.0.0.0/8']);
  const allowed = createOwnUrl(egress, 'http://127.0.0.1:4000');
  await egress.check('http://127.0.0.1:4000');
  expect(allowed()).toBeNull();
});
