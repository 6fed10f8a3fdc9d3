/** Reads blobs in portions, as bytes: a new node reads all of them. */
import { sql } from 'kysely';
import { COPIED, copyOut } from '../database/copy-out.ts';
import { openDatabase } from '../database/database.ts';
import type { Db } from '../database/schema.ts';
import { digest, openBlobFiles } from './blob-files.ts';
import { portionsOf } from './blob-portions.ts';
import { type BlobsDescription, BlobUnavailable } from './blobs.ts';

export type BlobReader = {
  /** The blobs in this order, each valid until the next is read. One that is unavailable is its error. */
  readAll(sha256s: readonly string[]): AsyncGenerator<Buffer | BlobUnavailable, void, undefined>;
};

/** Blobs whose sizes are read together. */
const AT_ONCE = 5_000;
const ROW_BYTES = COPIED.row + 2 * COPIED.value;
const HASHES = /^[0-9a-f]{64}(?:,[0-9a-f]{64})*$/;

/** For a thread, which ends without closing it: it opens one connection to the database when it first reads. */
export function openBlobReader({ connection, folder }: BlobsDescription): BlobReader {
  const db = connection && openDatabase(connection, { poolSize: 1, log: { warn() {} }, name: 'sluice search' }).kysely;
  // Nothing is written.
  const files = openBlobFiles(folder, Number.POSITIVE_INFINITY);

  async function* readSome(sha256s: readonly string[], memory: Memory) {
    const sizes = db ? await sizesOf(db, sha256s) : new Map<string, number>();
    const asked = sha256s.map((sha256) => ({ sha256, size: sizes.get(sha256) ?? 0 }));
    for (const portion of portionsOf(asked)) {
      // One that was stored since has no room in the memory: it counts as missing until it is asked for again.
      const stored = portion.filter(({ sha256 }) => sizes.has(sha256));
      const found = db && stored.length > 0 ? await bytesOf(db, stored, memory) : new Map<string, Buffer>();
      for (const { sha256 } of portion) {
        const bytes = found.get(sha256);
        yield bytes === undefined ? fileOf(sha256) : checked(sha256, bytes);
      }
    }
  }

  const fileOf = async (sha256: string) =>
    (await files.read(sha256)) ?? new BlobUnavailable(`blob ${sha256} does not exist`, 'ENOENT');

  return {
    async *readAll(sha256s) {
      const memory = { bytes: Buffer.alloc(0) };
      for (let from = 0; from < sha256s.length; from += AT_ONCE)
        yield* readSome(sha256s.slice(from, from + AT_ONCE), memory);
    },
  };
}

async function sizesOf(db: Db, sha256s: readonly string[]): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('blobs')
    .select(['sha256', 'size'])
    .where(sql<boolean>`sha256 = any (${sha256s}::text[])`)
    .execute();
  return new Map(rows.map(({ sha256, size }) => [sha256, size]));
}

/** The memory of the last portion, for the next: each in new memory would cost a collection of garbage every few. */
type Memory = { bytes: Buffer };

/** COPY has no parameters. */
async function bytesOf(db: Db, portion: { sha256: string; size: number }[], memory: Memory) {
  const list = portion.map(({ sha256 }) => sha256).join();
  if (!HASHES.test(list)) throw new Error('a blob hash is invalid');
  const most = portion.reduce((sum, { sha256, size }) => sum + size + sha256.length + ROW_BYTES, COPIED.ends);
  if (most > memory.bytes.length) memory.bytes = Buffer.allocUnsafeSlow(most);
  const rows = await copyOut(db, `select sha256, bytes from blobs where sha256 = any ('{${list}}')`, memory.bytes);
  return new Map(rows.map(([sha256, bytes]) => [String(sha256), bytes ?? Buffer.alloc(0)]));
}

const checked = (sha256: string, bytes: Buffer) =>
  digest(bytes) === sha256 ? bytes : new BlobUnavailable(`blob ${sha256} is damaged`, 'DAMAGED');
