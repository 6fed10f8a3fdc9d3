/**
 * Reads blobs that are UTF-8 text, such as the files of functions, in portions: a new node reads all of them. They come
 * from the database as text, which costs half as much as bytes in hexadecimal.
 */
import { sql } from 'kysely';
import { openDatabase } from '../database/database.ts';
import type { Db } from '../database/schema.ts';
import { digest, openBlobFiles } from './blob-files.ts';
import { portionsOf } from './blob-portions.ts';
import { type BlobsDescription, BlobUnavailable } from './blobs.ts';

export type BlobReader = {
  /** The blobs in this order. One that is unavailable is its error. */
  readAll(sha256s: readonly string[]): AsyncGenerator<Buffer | BlobUnavailable, void, undefined>;
};

/** Blobs whose sizes are read together. */
const AT_ONCE = 5_000;

/** For a thread, which ends without closing it: it opens one connection to the database when it first reads. */
export function openBlobReader({ connection, folder }: BlobsDescription): BlobReader {
  const db = connection && openDatabase(connection, { poolSize: 1, log: { warn() {} }, name: 'sluice search' }).kysely;
  // Nothing is written.
  const files = openBlobFiles(folder, Number.POSITIVE_INFINITY);

  async function* readSome(sha256s: readonly string[]) {
    const sizes = db ? await sizesOf(db, sha256s) : new Map<string, number>();
    const asked = sha256s.map((sha256) => ({ sha256, size: sizes.get(sha256) ?? 0 }));
    for (const portion of portionsOf(asked)) {
      const texts = db
        ? await textsOf(
            db,
            portion.map(({ sha256 }) => sha256),
          )
        : new Map<string, string>();
      for (const { sha256 } of portion) {
        const text = texts.get(sha256);
        texts.delete(sha256);
        yield text === undefined ? fileOf(sha256) : checked(sha256, Buffer.from(text));
      }
    }
  }

  const fileOf = async (sha256: string) =>
    (await files.read(sha256)) ?? new BlobUnavailable(`blob ${sha256} does not exist`, 'ENOENT');

  return {
    async *readAll(sha256s) {
      for (let from = 0; from < sha256s.length; from += AT_ONCE) yield* readSome(sha256s.slice(from, from + AT_ONCE));
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

async function textsOf(db: Db, sha256s: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ sha256: string; text: string }>`
    select sha256, convert_from(bytes, 'UTF8') as text from blobs where sha256 = any (${sha256s}::text[])
  `.execute(db);
  return new Map(rows.map(({ sha256, text }) => [sha256, text]));
}

const checked = (sha256: string, bytes: Buffer) =>
  digest(bytes) === sha256 ? bytes : new BlobUnavailable(`blob ${sha256} is damaged`, 'DAMAGED');
