import { sql } from 'kysely';
import type { DeliveryStatus } from '../../contract/states.ts';
import { firstIdAt } from '../lib/ids.ts';
import type { Db, EventsTable, Tx } from './schema.ts';

export type EventRow = Omit<EventsTable, 'xid'> & { trigger_name: string; source: string; event_type: string };

export type EventFilter = {
  trigger_id?: string | undefined;
  /** Only events after this one. */
  since_id?: string | undefined;
  /** With a delivery that has this status. */
  status?: DeliveryStatus | undefined;
  received_after?: string | undefined;
  received_before?: string | undefined;
  /** Text in the payload, whatever its case. */
  q?: string | undefined;
};

/** Events of triggers that are there, newest first, after the event `before` when one is given. */
export async function list(
  db: Db,
  account_id: string,
  filter: EventFilter,
  page: { limit: number; before?: string | undefined },
): Promise<EventRow[]> {
  let query = selectRows(db).where('e.account_id', '=', account_id);
  if (filter.trigger_id) query = query.where('e.trigger_id', '=', filter.trigger_id);
  if (page.before) query = query.where('e.event_id', '<', page.before);
  if (filter.since_id) query = query.where('e.event_id', '>', filter.since_id).where(settled);
  if (filter.received_after) {
    query = query
      .where('e.received_at', '>=', filter.received_after)
      .where('e.event_id', '>=', idAround(filter.received_after, -MARGIN_MS));
  }
  if (filter.received_before) {
    query = query
      .where('e.received_at', '<', filter.received_before)
      .where('e.event_id', '<', idAround(filter.received_before, MARGIN_MS));
  }
  if (filter.q) query = query.where('e.payload', 'ilike', `%${filter.q.replace(/[\\%_]/g, '\\$&')}%`);
  const { status } = filter;
  if (status) {
    query = query.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('deliveries as d')
          .select('d.event_id')
          .whereRef('d.account_id', '=', 'e.account_id')
          .whereRef('d.event_id', '=', 'e.event_id')
          .where('d.status', '=', status),
      ),
    );
  }
  return query.orderBy('e.event_id', 'desc').limit(page.limit).execute();
}

export async function find(
  db: Db | Tx,
  account_id: string,
  trigger_id: string,
  event_id: string,
): Promise<EventRow | undefined> {
  return selectRows(db)
    .where('e.account_id', '=', account_id)
    .where('e.trigger_id', '=', trigger_id)
    .where('e.event_id', '=', event_id)
    .executeTakeFirst();
}

/**
 * Committed before anything that is still going on: a reader that goes on from an id never skips an event that got its
 * id earlier and its commit later. No event's transaction lasts 20 seconds, so others that do hold nothing back.
 */
const settled = sql<boolean>`(e.xid < pg_snapshot_xmin(pg_current_snapshot()) or e.received_at < now() - interval '20 seconds')`;

const selectRows = (db: Db | Tx) =>
  db
    .selectFrom('events as e')
    .innerJoin('triggers as t', (on) =>
      on.onRef('t.account_id', '=', 'e.account_id').onRef('t.trigger_id', '=', 'e.trigger_id'),
    )
    .select([
      'e.account_id',
      'e.event_id',
      'e.trigger_id',
      'e.received_at',
      'e.payload',
      'e.replay_of',
      't.name as trigger_name',
      't.source',
      't.event_type',
    ]);

/** An id carries nearly the moment of receipt; with a margin it tells which partitions can hold it. */
const MARGIN_MS = 60_000;
const idAround = (time: string, marginMs: number) => firstIdAt(Math.max(0, Date.parse(time) + marginMs));
