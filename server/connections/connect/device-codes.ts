/**
 * Device codes (RFC 8628): the user enters a code at the provider, in any browser, and the connect window asks whether
 * they have. The flow is a row of connect_flows, found by a handle that only this window has. Its device code is sealed.
 * `next_at` limits the questions to the provider's interval, whatever the window does and on every node.
 */
import type { Reply } from '../../../contract/operations.ts';
import type { AuthMethod } from '../../../contract/states.ts';
import { write } from '../../accounts/write.ts';
import { fromNow } from '../../lib/clock.ts';
import { hashToken, newToken } from '../../lib/tokens.ts';
import type { Ctx } from '../../platform/context.ts';
import type { Begun } from '../auth-methods/auth-method.ts';
import * as store from '../store/connect-flows.ts';
import { placeOf } from './connect-flows.ts';
import type { Link } from './connect-links.ts';

export type KeptDevice = { link: Link; keep: Record<string, unknown>; interval_seconds: number };

/** Stores the flow, and returns what the window shows. */
export async function startDevice(
  ctx: Ctx,
  link: Link,
  method: AuthMethod,
  { code, keep }: Extract<Begun, { kind: 'device' }>,
): Promise<NonNullable<Reply<'connectSessionSubmit'>['device']>> {
  const handle = newToken();
  const state_hash = hashToken(handle);
  const { lives_seconds, ...shown } = code;
  const expires_at = fromNow(lives_seconds * 1000);
  const { interval_seconds } = code;
  const kept: KeptDevice = { link: { ...link, outcome: null }, keep, interval_seconds };
  await write(ctx, async (tx, about) => {
    about(link.connection_id);
    await store.insert(tx, ctx.account_id, {
      state_hash,
      connection_id: link.connection_id,
      method,
      browser_hash: '',
      sealed: ctx.vault.seal(placeOf({ account_id: ctx.account_id, state_hash }), JSON.stringify(kept)),
      expires_at,
      next_at: fromNow(0),
    });
  });
  return { handle, ...shown, expires_at };
}
