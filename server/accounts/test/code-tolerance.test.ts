/** Codes of authenticator apps without a tolerance for clocks that differ. */
import { expect, it } from 'vitest';
import { signIn } from '../../test/browser.ts';
import { serviceForAll } from '../../test/shared-set-up.ts';
import { codeOf } from './authenticator.ts';

const service = serviceForAll({ env: { SLUICE_CODE_TOLERANCE: 'off' } });

it('a code is valid only in its own 30 seconds', async () => {
  const admin = await signIn(service);
  const { body } = await admin.call<{ authenticator: { key: string } }>('POST', '/session/authenticator');
  const { key } = body.authenticator;
  const confirm = async (steps: number) =>
    (await admin.call('POST', '/session/authenticator:confirm', { code: codeOf(key, steps) })).status;
  expect(await confirm(-1)).toBe(400);
  // A step may end between the calculation of the code and its check.
  await expect.poll(() => confirm(0)).toBe(200);
});
