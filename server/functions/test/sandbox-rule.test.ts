/** Where no container works: one account runs its functions, several only if a setting accepts the weaker sandbox. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, startService } from '../../test/service.ts';
import { callAddress, HELLO, invoke, makeFunction } from './functions-support.ts';

/** As on a machine without bubblewrap and util-linux. */
const WITHOUT = { programFolders: [] };

describe.each([
  ['chosen by no setting', {}, false],
  ['accepted by SLUICE_SANDBOX', { SLUICE_SANDBOX: 'permissions' }, true],
] as const)('a machine without containers, %s', (_, env, isAccepted) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({ ...WITHOUT, env });
  });
  afterAll(() => service.stop());

  it('runs functions of a single account, and says what would make the sandbox strong', async () => {
    const fn = await makeFunction(service, HELLO, { name: 'single', visibility: 'UNLISTED', invoke_access: 'ANYONE' });
    expect((await invoke(service, fn)).status).toBe('OK');
    expect((await callAddress(service, fn.url)).text).toBe('hello');
    const ready = await fetch(`${service.url}/readyz`);
    expect(ready.status).toBe(200);
    expect(await ready.json()).toMatchObject({
      sandbox: 'permissions',
      sandbox_advice: expect.stringMatching(/user namespaces.*bubblewrap/),
    });
    const { body } = await service.api<{ account: { sandbox: object } }>('GET', '/account');
    expect(body.account.sandbox).toMatchObject({
      mode: 'permissions',
      is_strong: false,
      explanation: expect.stringMatching(isAccepted ? /switched off/ : /bubblewrap is not installed.*user namespaces/s),
    });
  });

  it(`${isAccepted ? 'runs' : 'refuses to run'} functions as soon as there is a second account`, async () => {
    const before = await makeFunction(service, HELLO, {
      name: 'before',
      visibility: 'UNLISTED',
      invoke_access: 'ANYONE',
    });
    const other = await service.secondAccount();
    const copied = await makeFunction(
      service,
      HELLO,
      { name: 'theirs', visibility: 'UNLISTED', invoke_access: 'ANYONE' },
      other.key,
    );
    for (const fn of [before, copied]) {
      const { status, headers, text } = await callAddress(service, fn.url);
      if (isAccepted) {
        expect(text).toBe('hello');
        continue;
      }
      expect(status).toBe(503);
      expect(headers['retry-after']).toBe('60');
      expect(text).toMatch(/several accounts.*SLUICE_SANDBOX=permissions/);
    }
    const invoked = await service.api<{ message: string; type: string; code: number }>(
      'POST',
      `/functions/${before.function_id}:invoke`,
      {},
    );
    expect(invoked.status).toBe(isAccepted ? 200 : 503);
    if (!isAccepted) expect(invoked.body.message).toMatch(/^Functions do not run: .*SLUICE_SANDBOX=permissions/);
    // A deploy needs no sandbox.
    const files = { 'index.ts': 'export default () => 2;' };
    const deployed = await service.api('POST', `/functions/${before.function_id}/versions`, { files });
    expect(deployed.status).toBe(200);
  });
});

describe('a machine with containers', () => {
  it('is described as strong, and runs functions of several accounts', async () => {
    const service = await startService();
    try {
      const { body } = await service.api<{ account: { sandbox: { mode: string; is_strong: boolean } } }>(
        'GET',
        '/account',
      );
      const { mode, is_strong } = body.account.sandbox;
      expect(is_strong).toBe(mode !== 'permissions');
      if (!is_strong) return;
      expect(await (await fetch(`${service.url}/readyz`)).json()).not.toHaveProperty('sandbox_advice');
      const other = await service.secondAccount();
      const fn = await makeFunction(service, HELLO, { visibility: 'UNLISTED', invoke_access: 'ANYONE' }, other.key);
      expect((await callAddress(service, fn.url)).text).toBe('hello');
    } finally {
      await service.stop();
    }
  });
});
