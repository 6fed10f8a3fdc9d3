import { sql } from 'kysely';
import type { Tx } from './schema.ts';

const NAME = 'retention_edge';

/** Up to where retention may drop, and up to where the clock and the setting ask for; both in ms since 1970. */
export type Edge = { allowedMs: number; wantedMs: number };

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/**
 * Moves the stored retention edge towards `wantedMs` and returns how far it may go now. The edge follows the passing of
 * time: one day per day. Beyond that it advances at most one day per hour, so that a clock that is wrong or a setting
 * mistyped costs a day of history per hour and not all of it. Both clocks of a node are ahead where the machine's is,
 * so hours are counted by calls: each advance needs `nowMs` to be an hour after the advance before it, and a jump of
 * the clock counts as one hour. Without a stored edge, it starts at the oldest day that exists.
 */
export async function advanceEdge(
  tx: Tx,
  { wantedMs, nowMs, oldestMs }: { wantedMs: number; nowMs: number; oldestMs: number },
): Promise<Edge> {
  const { rows } = await sql<{ value: string }>`select value from settings where name = ${NAME} for update`.execute(tx);
  const stored = rows[0] ? (JSON.parse(rows[0].value) as { edgeMs: number; atMs: number }) : undefined;
  const edgeMs = stored?.edgeMs ?? Math.min(wantedMs, oldestMs);
  // A clock that was set back must not hold up retention until it catches up.
  const isDue = stored === undefined || nowMs < stored.atMs || nowMs - stored.atMs >= HOUR_MS;
  const allowedMs = isDue ? Math.min(wantedMs, edgeMs + DAY_MS) : Math.min(wantedMs, edgeMs);
  if (isDue) {
    const value = JSON.stringify({ edgeMs: allowedMs, atMs: nowMs });
    await sql`insert into settings (name, value) values (${NAME}, ${value})
      on conflict (name) do update set value = excluded.value`.execute(tx);
  }
  return { allowedMs, wantedMs };
}
