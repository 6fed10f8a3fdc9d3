/** The gateway changes nothing: raw bytes in, raw bytes out, checked at both ends of real sockets. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addConnectedApp } from '../../connections/test/connecting.ts';
import { type Service, startService } from '../../test/service.ts';
import type { Rig } from './fidelity/rig.ts';
import { suite } from './fidelity/suite.ts';
import { startRawUpstream } from './raw-upstream.ts';

let service: Service;
let rig: Rig;
beforeAll(async () => {
  service = await startService({ env: { SLUICE_GATEWAY_ANSWER_TIMEOUT: '1', SLUICE_GATEWAY_IDLE_TIMEOUT: '1' } });
  const upstream = await startRawUpstream();
  const app = await addConnectedApp(service, upstream.url);
  rig = {
    port: service.port,
    upstream,
    prefix: `/api/${app}`,
    headers: [`Authorization: Bearer ${service.key}`],
    credential: 'Authorization: Bearer upstream-secret',
    rss: () => process.memoryUsage().rss,
  };
});
afterAll(async () => {
  await service.stop();
  await rig.upstream.close();
});

for (const { title, checks } of suite)
  describe(title, () => {
    it.each(checks)('$name', ({ run }) => run(rig));
  });

it('there are at least 46 checks', () => {
  const names = suite.flatMap(({ title, checks }) => checks.map(({ name }) => `${title}: ${name}`));
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThanOrEqual(46);
});
