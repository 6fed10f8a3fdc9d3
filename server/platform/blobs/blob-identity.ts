/**
 * The identity of the blob store: a random id, stored in the database (setting `blob_store`) and in the store. A node
 * whose store has a different id or none would fail function calls and miss code in searches. It therefore refuses to
 * start, and /readyz fails if the store disappears later.
 */
import { sql } from 'kysely';
import { Refusal } from '../database/refusal.ts';
import type { Db } from '../database/schema.ts';
import type { Blobs } from './blobs.ts';

const SETTING = 'blob_store';
/** Number of blobs of the database to look for in a store without an id. */
const SAMPLES = 20;

/**
 * The id of the blob store, created in the database and the store at the first start. Refuses the store of another
 * database.
 */
export async function openBlobStore(db: Db, blobs: Blobs): Promise<string> {
  const { noun, place, idPlace, read } = blobs.identity;
  const known = await findId(db);
  if (known === undefined) await makeId(db, blobs);
  const id = known ?? (await findId(db));
  const { id: found, cause } = await read();
  if (id !== undefined && found === id) return id;
  throw new Refusal(
    `The ${noun} ${place} is not the blob store of this database, which holds the code of its functions: ${cause ?? `its id is ${found}, not ${id}`}.`,
    `Set SLUICE_DATA_DIR to the data folder that belongs to this database; all nodes share one, so mount it first. If this is the right ${noun}, restored without ${idPlace}, write ${id} to that file. Nothing was changed.`,
  );
}

/** The cause why the blob store cannot be used, or null. Reads one small file. */
export async function blobStoreProblem({ identity }: Pick<Blobs, 'identity'>, id: string): Promise<string | null> {
  const { id: found, cause } = await identity.read();
  if (found === id) return null;
  return `The blob store, which holds the code of functions, can’t be used: ${cause ?? `its ${identity.noun} belongs to another database`}.`;
}

async function findId(db: Db): Promise<string | undefined> {
  const row = await db.selectFrom('settings').select('value').where('name', '=', SETTING).executeTakeFirst();
  return row?.value;
}

/** Writes to the store first: after a crash before the database has the id, the next start uses the store's id. */
async function makeId(db: Db, blobs: Blobs): Promise<void> {
  await refuseOther(db, blobs);
  await blobs.identity.make();
  const { id } = await blobs.identity.read();
  if (id === undefined) return;
  await db
    .insertInto('settings')
    .values({ name: SETTING, value: id })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
}

/** For an installation older than store ids: the store must hold blobs of the database. */
async function refuseOther(db: Db, blobs: Blobs): Promise<void> {
  const { rows } = await sql<{ sha256: string }>`
    select code_sha256 as sha256 from function_versions order by created_at desc limit ${SAMPLES}
  `.execute(db);
  if (rows.length === 0) return;
  for (const { sha256 } of rows) if (await blobs.has(sha256).catch(() => false)) return;
  throw new Refusal(
    `The ${blobs.identity.noun} ${blobs.identity.place} has none of the code that this database names, so it is not its blob store.`,
    'Set SLUICE_DATA_DIR to the data folder that belongs to this database; all nodes share one, so mount it first. Nothing was changed.',
  );
}
