import type { AttemptsTable, Db } from './schema.ts';

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
