import { sql } from 'kysely';
import type { Db } from '../database/schema.ts';

/** Stores blobs, or renews the age of those that exist: at most hourly, so that equal deploys write nothing. */
export async function storeBlobs(db: Db, blobs: { sha256: string; bytes: Uint8Array }[]): Promise<void> {
  for (const { sha256, bytes } of blobs)
    await sql`
      insert into blobs (sha256, size, bytes) values (${sha256}, ${bytes.byteLength}, ${bytes})
      on conflict (sha256) do update set put_at = now() where blobs.put_at < now() - interval '1 hour'
    `.execute(db);
}
