/** The operation of the connect window that asks whether the user has entered a device code; see device-codes.ts. */
import type { Input, Reply } from '../../../contract/operations.ts';
import { fromNow, now } from '../../lib/clock.ts';
import { badRequest, Failure, notFound } from '../../lib/failure.ts';
import { hashToken } from '../../lib/tokens.ts';
import type { Ctx } from '../../platform/context.ts';
import type { ConnectFlowsTable } from '../../platform/database/schema.ts';
import { ConnectFailure, type Polled } from '../auth-methods/auth-method.ts';
import * as store from '../store/connect-flows.ts';
import * as connectionStore from '../store/connections.ts';
import { complete, knownMethod, noteFailure, placeOf, USED } from './connect-flows.ts';
import { describe, linkOf } from './connect-sessions.ts';
import type { KeptDevice } from './device-codes.ts';

/** RFC 8628, section 3.5: added after `slow_down`. */
const SLOWER_SECONDS = 5;
const EXPIRED = 'handle: the code has expired. Get a new one.';

/**
 * Asks the provider, at most once per interval. The session is finished once the user has authorized. 400 if the code
 * expired or access was denied: the link can be used again.
 */
export async function poll(ctx: Ctx, { body }: Input<'connectSessionPoll'>): Promise<Reply<'connectSessionPoll'>> {
  const link = linkOf(ctx);
  const { account_id, connection_id } = link;
  const row = await connectionStore.find(ctx.db, account_id, connection_id);
  if (!row) throw notFound('Connection');
  // Completed in another window, or by a question whose reply was lost.
  if (link.outcome === 'finished') return { session: await describe(ctx, row, link), interval_seconds: 0 };
  const at = now();
  const key = { account_id, connection_id, state_hash: hashToken(body.handle) };
  const flow = await store.findDevice(ctx.db, key);
  if (!flow) throw badRequest('handle: expected the handle of an open device code');
  if (flow.expires_at <= at) {
    await store.take(ctx.db, account_id, flow.state_hash);
    throw badRequest(EXPIRED);
  }
  const kept = JSON.parse(ctx.vault.open(placeOf(flow), flow.sealed)) as KeptDevice;
  if (kept.link.completed_at !== row.completed_at) throw badRequest(USED);
  const { interval_seconds } = kept;
  const pending = async (seconds: number) => ({
    session: await describe(ctx, row, { ...link, outcome: null }),
    interval_seconds: seconds,
  });
  // A second longer, since the provider measures the interval, too.
  const reserved = await store.reserve(ctx.db, key, { at, next_at: fromNow((interval_seconds + 1) * 1000) });
  if (!reserved) return pending(interval_seconds);

  try {
    const known = await knownMethod(ctx, row, flow.method);
    if (!known.part.poll) throw new Error(`${flow.method} began a device code that it can't check`);
    const polled: Polled = await known.part.poll(ctx, known.subject, kept.keep);
    if (polled.kind === 'pending') {
      if (!polled.slower) return pending(interval_seconds);
      return pending(await slowDown(ctx, flow, kept));
    }
    if (!(await store.take(ctx.db, account_id, flow.state_hash))) throw badRequest(USED);
    const done = await complete(ctx, link, known, polled.credentials);
    return { session: await describe(ctx, done, { ...link, outcome: 'finished' }), interval_seconds: 0 };
  } catch (error) {
    if (!(error instanceof ConnectFailure)) throw error;
    // The provider could not be asked: the code may still be valid.
    if (!error.final && !/expired/.test(error.message)) return pending(interval_seconds);
    await store.take(ctx.db, account_id, flow.state_hash);
    const { message } = await noteFailure(ctx, link, error);
    throw error.final ? badRequest(message) : new Failure(400, `handle: ${message}`);
  }
}

/** Stores and returns the longer interval. */
async function slowDown(ctx: Ctx, flow: ConnectFlowsTable, kept: KeptDevice): Promise<number> {
  const interval_seconds = kept.interval_seconds + SLOWER_SECONDS;
  const sealed = ctx.vault.seal(placeOf(flow), JSON.stringify({ ...kept, interval_seconds }));
  await store.delay(ctx.db, flow.account_id, flow.state_hash, sealed, fromNow((interval_seconds + 1) * 1000));
  return interval_seconds;
}
