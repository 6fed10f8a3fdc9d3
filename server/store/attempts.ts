import type { AttemptsTable, Db } from './schema.ts';

/** The last one, when there is any. */
export async function latest(
  db: Db,
  account_id: string,
  event_id: string,
  delivery_id: string,
): Promise<AttemptsTable | undefined> {
  return db
    .selectFrom('attempts')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('event_id', '=', event_id)
    .where('delivery_id', '=', delivery_id)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** In the order they were made, after the attempt numbered `after` when one is given. */
export async function list(
  db: Db,
  account_id: string,
  event_id: string,
  delivery_id: string,
  page: { limit: number; after?: number | undefined },
): Promise<AttemptsTable[]> {
  let query = db
    .selectFrom('attempts')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('event_id', '=', event_id)
    .where('delivery_id', '=', delivery_id);
  if (page.after !== undefined) query = query.where('number', '>', page.after);
  return query.orderBy('number').limit(page.limit).execute();
}
