/**
 * Installations of before have their code in the `blobs` folder only. The first start with that folder stores it in the
 * database, and then notes that in the setting `code_in_database`. Until then another folder is refused, unless the
 * database has some of the code: a node that began without it would fail the calls of all functions.
 */
import { sql } from 'kysely';
import type { Logger } from 'pino';
import { Refusal } from '../database/refusal.ts';
import type { Db } from '../database/schema.ts';
import type { BlobFiles } from './blob-files.ts';
import { sweepFiles } from './blob-sweep.ts';

const SETTING = 'code_in_database';
/** Number of blobs to look for in the folder. */
const SAMPLES = 20;

type Place = { folder: string; log: Pick<Logger, 'info' | 'warn'> };

/** Resolves when all code that the folder has is in the database. */
export async function importCode(db: Db, files: BlobFiles, { folder, log }: Place): Promise<void> {
  const setting = db.selectFrom('settings').select('value').where('name', '=', SETTING);
  if (await setting.executeTakeFirst()) return;
  const before = await missingCode(db);
  if (before.missing > 0) {
    if (before.stored === 0) await refuseOther(files, folder, before.samples);
    log.info({ versions: before.missing }, 'storing the code of functions in the database');
    const startedMs = performance.now();
    const imported = await sweepFiles(db, files, { used: async (all) => new Set(all), olderThanMs: 0 });
    log.info({ imported, seconds: Math.round((performance.now() - startedMs) / 1000) }, 'code stored in the database');
    const { missing } = await missingCode(db);
    if (missing > 0) {
      log.warn({ versions: missing, folder }, 'code of some versions is neither in the database nor in the folder');
      return;
    }
  }
  await db
    .insertInto('settings')
    .values({ name: SETTING, value: 'yes' })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
}

/** How many versions have code that the database lacks, and the hashes of the newest. */
async function missingCode(db: Db): Promise<{ missing: number; stored: number; samples: string[] }> {
  const { rows } = await sql<{ missing: number; stored: number; samples: string[] | null }>`
    select count(*) filter (where b.sha256 is null)::int as missing, count(b.sha256)::int as stored,
      (array_agg(v.code_sha256 order by v.created_at desc) filter (where b.sha256 is null))[1:${SAMPLES}] as samples
    from function_versions v left join blobs b on b.sha256 = v.code_sha256
  `.execute(db);
  const { missing = 0, stored = 0, samples } = rows[0] ?? {};
  return { missing, stored, samples: samples ?? [] };
}

async function refuseOther(files: BlobFiles, folder: string, samples: string[]): Promise<void> {
  for (const sha256 of samples) if (await files.read(sha256)) return;
  throw new Refusal(
    `The database does not have the code of its functions yet, and the folder ${folder} has none of it.`,
    'Start one node with the data folder that the nodes shared before: it stores the code in the database. Nothing was changed.',
  );
}
