/**
 * Prepared statements for the hot paths of events and search: each connection parses and plans them once, under a name.
 * Only for statements whose text has few forms, because a connection caches all of them.
 */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { PoolClient, QueryConfig } from 'pg';

const MARK = '/* prepared */';

/** A statement that begins with this is prepared. */
export const PREPARED = sql.raw(MARK);

const names = new Map<string, string>();

/** Call it for each connection of a pool, before its first statement. */
export function prepareMarked(client: Pick<PoolClient, 'query'>): void {
  const query = client.query.bind(client) as (given: string | QueryConfig, ...more: unknown[]) => unknown;
  const preparing = (given: string | QueryConfig, values?: unknown[], ...more: unknown[]) =>
    typeof given === 'string' && given.startsWith(MARK)
      ? query({ name: nameOf(given), text: given, values: values ?? [] }, ...more)
      : query(given, values, ...more);
  client.query = preparing as typeof client.query;
}

function nameOf(text: string): string {
  const known = names.get(text);
  if (known) return known;
  // The same name in every process, because a pooler may share connections.
  const name = `sluice_${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
  names.set(text, name);
  return name;
}
