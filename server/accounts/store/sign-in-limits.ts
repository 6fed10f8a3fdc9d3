import { sql } from 'kysely';
import type { Db } from '../../platform/database/schema.ts';

export type Bucket = { scope: string; burst: number; perSecond: number };

/** Takes a token; returns how many are left, or undefined if there was none. */
export async function take(db: Db, { scope, burst, perSecond }: Bucket): Promise<number | undefined> {
  const { rows } = await sql<{ tokens: number }>`
    insert into sign_in_limits as l (scope, tokens, at) values (${scope}, ${burst - 1}::float8, clock_timestamp())
    on conflict (scope) do update set tokens = ${refilled(burst, perSecond)} - 1, at = clock_timestamp()
    where ${refilled(burst, perSecond)} >= 1
    returning tokens`.execute(db);
  return rows[0]?.tokens;
}

/** Returns a token that was taken. */
export async function giveBack(db: Db, { scope, burst }: Bucket): Promise<void> {
  await sql`update sign_in_limits set tokens = least(${burst}::float8, tokens + 1) where scope = ${scope}`.execute(db);
}

/** Deletes buckets that are full again. */
export async function removeFull(db: Db, windowSeconds: number): Promise<void> {
  await sql`
    delete from sign_in_limits where at < clock_timestamp() - make_interval(secs => ${windowSeconds}::float8)`.execute(
    db,
  );
}

const refilled = (burst: number, perSecond: number) =>
  sql`least(${burst}::float8, l.tokens + extract(epoch from clock_timestamp() - l.at)::float8 * ${perSecond}::float8)`;
