/** The store of function code: in the database, with a folder of each node as its cache. */
import type { Connection } from '../database/connection.ts';

/** Bytes under their own SHA-256 (64 lower-case hex digits): written once, never changed, equal bytes stored once. */
export type Blobs = {
  /** Stores the bytes and returns their hash; they are durable when it resolves, and safe from `sweep` for a while. */
  put(bytes: Uint8Array): Promise<string>;
  /** The bytes with a hash. Throws `BlobUnavailable` if there are none. */
  get(sha256: string): Promise<Buffer>;
  has(sha256: string): Promise<boolean>;
  /** Removes unreferenced blobs from the database and the folder; returns their number in the database. */
  sweep(sweep: BlobSweep): Promise<number>;
  /** The description from which another thread opens the same store, with openBlobReader(). */
  readonly description: BlobsDescription;
};

export type BlobSweep = {
  /** Returns those of these hashes that are referenced. */
  used: (sha256s: string[]) => Promise<Set<string>>;
  /** Younger blobs stay. */
  olderThanMs: number;
};

/** Plain data, for messages between threads. Without a connection only the folder is read. */
export type BlobsDescription = { connection?: Connection; folder: string };

/** `cause_code`: ENOENT if there is no such blob, DAMAGED, or the code of a database error. */
export class BlobUnavailable extends Error {
  override readonly name = 'BlobUnavailable';
  readonly cause_code: string;

  constructor(message: string, cause_code: string, options?: ErrorOptions) {
    super(message, options);
    this.cause_code = cause_code;
  }
}
