/**
 * Times `GET /connections` at 10,000 connections: by tag, by end user, by text and by need of attention, pages of 50.
 * `npm run bench:connections` prints them alone; `npm run bench:gateway` prints them with its other results.
 */
import { sql } from 'kysely';
import type { Reply } from '../contract/operations.ts';
import { openDatabase } from '../server/platform/database/database.ts';
import { embeddedIn, freePort, scratch, start } from '../server/test/spawned.ts';
import { quantile } from './quantile.ts';
import { SETTINGS } from './settings.ts';

const CONNECTIONS = 10_000;
const ROUNDS = 100;
const USERS = 2500;
/** `n` changes with each round, so that no result is cached. */
const QUERIES: [name: string, query: (n: number) => string][] = [
  ['a page', () => 'limit=50'],
  ['a tag of 100', (n) => `limit=50&tag=team-${n % 100}`],
  ['an end user', (n) => `limit=50&end_user=user-${n}`],
  ['a tag and a status', (n) => `limit=50&tag=team-${n % 100}&status=ACTIVE`],
  ['text with one match', (n) => `limit=50&q=person-${n}%40`],
  ['text with 100 matches', (n) => `limit=50&q=team-${n % 100}`],
  ['text without a match', (n) => `limit=50&q=nothing-${n}`],
  ['needs attention', () => 'limit=50&attention=true'],
];

export type ConnectionLookup = { name: string; found: number; p50Ms: number; p95Ms: number };

/** Medians and 95th percentiles of 100 requests each, of one caller. */
export async function connectionLookups(): Promise<ConnectionLookup[]> {
  const folder = scratch();
  const service = await start(folder.path, await freePort(), SETTINGS);
  const log = { warn: (given: unknown) => console.error(given) };
  const database = openDatabase(embeddedIn(folder.path), { poolSize: 1, log });
  try {
    await sql`
      insert into connections (account_id, connection_id, app, method, name, status, metadata, is_default,
        creation_time, last_updated_time, refusals, tags, end_user_id, end_user_email, end_user_name)
      select (select account_id from accounts limit 1), gen_random_uuid(), 'github', 'API_KEY', 'Connection ' || n,
        case when n % 50 = 0 then 'FAILED' else 'ACTIVE' end, '{}', false, now(), now(), 0,
        json_build_array('team-' || n % 100, 'plan-' || n % 3)::text, 'user-' || n % ${USERS}::int,
        'person-' || n || '@acme.example', 'Person ' || n
      from generate_series(1, ${CONNECTIONS}::int) n
    `.execute(database.kysely);
    await sql`analyze connections`.execute(database.kysely);
    const lines: ConnectionLookup[] = [];
    for (const [name, query] of QUERIES) {
      const times: number[] = [];
      let found = 0;
      for (let round = 0; round < ROUNDS; round++) {
        const startedMs = performance.now();
        const { status, body } = await service.call<Reply<'connectionList'>>('GET', `/connections?${query(round)}`);
        times.push(performance.now() - startedMs);
        if (status !== 200) throw new Error(`${name}: ${JSON.stringify(body)}`);
        found = body.connections.length;
      }
      lines.push({ name, found, p50Ms: quantile(times, 0.5), p95Ms: quantile(times, 0.95) });
    }
    return lines;
  } finally {
    await database.close();
    await service.kill('SIGTERM');
    folder.remove();
  }
}

/** As a table of Markdown. */
export const lookupTable = (lines: readonly ConnectionLookup[]): string =>
  [
    `| lookup of ${CONNECTIONS.toLocaleString('en')} connections | results | p50 ms | p95 ms |`,
    '|---|---|---|---|',
    ...lines.map(
      ({ name, found, p50Ms, p95Ms }) => `| ${name} | ${found} | ${p50Ms.toFixed(1)} | ${p95Ms.toFixed(1)} |`,
    ),
  ].join('\n');
