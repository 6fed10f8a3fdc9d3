import { sql } from 'kysely';
import type { Tx } from './schema.ts';

const NAME = 'retention_edge';

/** The times up to which retention may drop, and up to which the clock and the setting require it; in ms since 1970. */
export type Edge = { allowedMs: number; wantedMs: number };

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/**
 * Moves the stored retention edge towards `wantedMs` and returns the new edge. The edge normally moves one day per day.
 * It catches up at most one day per hour, so that a wrong clock or a mistyped setting costs one day of history per
 * hour. If the machine's clock is ahead, both clocks of a node are. Hours are therefore counted by calls: each move
 * requires `nowMs` to be an hour after the previous move, and a jump of the clock counts as one hour. Without a stored
 * edge, it starts at the oldest existing day.
 */
export async function advanceEdge(
  tx: Tx,
  { wantedMs, nowMs, oldestMs }: { wantedMs: number; nowMs: number; oldestMs: number },
): Promise<Edge> {
  const { rows } = await sql<{ value: string }>`select value from settings where name = ${NAME} for update`.execute(tx);
  const stored = rows[0] ? (JSON.parse(rows[0].value) as { edgeMs: number; atMs: number }) : undefined;
  const edgeMs = stored?.edgeMs ?? Math.min(wantedMs, oldestMs);
  // A clock that was set back must not delay retention until it catches up.
  const isDue = stored === undefined || nowMs < stored.atMs || nowMs - stored.atMs >= HOUR_MS;
  const allowedMs = isDue ? Math.min(wantedMs, edgeMs + DAY_MS) : Math.min(wantedMs, edgeMs);
  if (isDue) {
    const value = JSON.stringify({ edgeMs: allowedMs, atMs: nowMs });
    await sql`insert into settings (name, value) values (${NAME}, ${value})
      on conflict (name) do update set value = excluded.value`.execute(tx);
  }
  return { allowedMs, wantedMs };
}
