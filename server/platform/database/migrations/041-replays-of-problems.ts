import { type Kysely, sql } from 'kysely';
import { addIndex } from '../add-index.ts';

/** Replays of a problem, their receipts, and the change before a problem was opened. */
export async function outside(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  await addIndex(db, {
    table: 'problem_failures',
    name: 'problem_failures_event',
    on: '(account_id, problem_id, event_id) where event_id is not null',
  });
}

const STATEMENTS = [
  `alter table replays add column if not exists problem_id uuid,
    add column if not exists canary_passed boolean not null default false,
    add column if not exists left_out text, add column if not exists receipt text`,
  `create index if not exists replays_problem on replays (account_id, problem_id, replay_id) where problem_id is not null`,
  `create index if not exists replays_receipt on replays (finished_at) where problem_id is not null and receipt is null`,
  `alter table problems add column if not exists preceded_by text`,
];
