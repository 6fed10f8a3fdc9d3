/** The hold of an installation (platform/hold.ts), as its owners see it: what waits, and the ways to continue. */
import type { Input, Reply } from '../../contract/operations.ts';
import * as accounts from '../accounts/store/accounts.ts';
import { write } from '../accounts/write.ts';
import { announce, fail, type Moved } from '../connections/connection-status.ts';
import { openCredentials } from '../connections/credentials.ts';
import { list } from '../connections/store/connection-list.ts';
import * as connections from '../connections/store/connections.ts';
import { waitingOf } from '../deliveries/store/queue/waiting-deliveries.ts';
import { now } from '../lib/clock.ts';
import { conflict, forbidden } from '../lib/failure.ts';
import { operatorCommand } from '../lib/operator-command.ts';
import type { Ctx, Services } from '../platform/context.ts';
import type { ConnectionsTable } from '../platform/database/schema.ts';
import { release as releaseIn } from '../platform/hold.ts';

/** Whether the installation is on hold, since when, and what waits in the account. */
export async function get(ctx: Ctx, _input: Input<'holdGet'>): Promise<Reply<'holdGet'>> {
  const hold = ctx.hold.current();
  if (!hold) return { hold: null };
  const [waiting, refreshed, shared] = await Promise.all([
    waitingOf(ctx.db, ctx.account_id),
    refreshedConnections(ctx, ctx.account_id),
    accounts.several(ctx.db),
  ]);
  return { hold: { ...hold, ...waiting, refreshed_connections: refreshed.length, may_release: !shared } };
}

/**
 * Ends the hold of the whole installation: its nodes start their workers within a second. 409 without a hold. 403 if
 * other accounts use it, because their owners decide as well: then it is released on the server.
 */
export async function release(ctx: Ctx, _input: Input<'holdRelease'>): Promise<Reply<'holdRelease'>> {
  requireHold(ctx);
  if (await accounts.several(ctx.db))
    throw forbidden(
      `Several accounts use this installation: release it on the server, by \`${operatorCommand('release')}\`.`,
    );
  await write(ctx, async (tx, about) => {
    about(ctx.account_id, { noun: 'account' });
    await releaseIn(tx);
  });
  await ctx.hold.look();
  return {};
}

/**
 * Makes the account's connections whose tokens this installation would refresh FAILED. A refresh by this copy could end
 * the access of the original, because many refresh tokens are valid once. 409 without a hold.
 */
export async function disconnect(ctx: Ctx, _input: Input<'holdDisconnect'>): Promise<Reply<'holdDisconnect'>> {
  requireHold(ctx);
  const rows = await refreshedConnections(ctx, ctx.account_id);
  const failure = {
    code: 'DISCONNECTED' as const,
    message: 'An owner disconnected the tokens of this copy.',
    since: now(),
  };
  const moved = await write(ctx, async (tx, about) => {
    about(ctx.account_id);
    const all: Moved[] = [];
    for (const { connection_id } of rows) {
      const row = await connections.lock(tx, ctx.account_id, connection_id);
      if (row?.status === 'ACTIVE') all.push(await fail(tx, row, failure));
    }
    return all;
  });
  for (const each of moved) announce(ctx, each);
  return { disconnected: moved.length };
}

function requireHold({ hold }: Ctx): void {
  if (!hold.current()) throw conflict('This installation is not on hold.');
}

/** ACTIVE connections with a refresh token. */
async function refreshedConnections(services: Services, account_id: string): Promise<ConnectionsTable[]> {
  const rows = await list(services.db, account_id, { status: 'ACTIVE' });
  return rows.filter((row) => row.credentials !== null && openCredentials(services, row).tokens?.refresh_token != null);
}
