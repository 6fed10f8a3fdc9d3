/**
 * The store of function code. open-blobs.ts opens one from its description; no other module depends on the kind of
 * store.
 */
import type { BlobSweep } from './blob-sweep.ts';

/** Bytes under their own SHA-256 (64 lower-case hex digits): written once, never changed, equal bytes stored once. */
export type Blobs = {
  /** Stores the bytes and returns their hash; they are durable when it resolves, and safe from `sweep` for a while. */
  put(bytes: Uint8Array): Promise<string>;
  /** The bytes with a hash. Throws `BlobUnavailable` if they cannot be read or were changed. */
  get(sha256: string): Promise<Buffer>;
  /** Whether a blob exists. Throws if that cannot be determined. */
  has(sha256: string): Promise<boolean>;
  /** Removes a blob, if it exists. */
  remove(sha256: string): Promise<void>;
  /** Removes unreferenced blobs; returns their number. */
  sweep(sweep: BlobSweep): Promise<number>;
  /** The description from which another thread opens the same store, with openBlobReader(). */
  readonly description: BlobsDescription;
  readonly identity: BlobIdentity;
};

/** Plain data, for messages between threads. */
export type BlobsDescription = { kind: 'folder'; folder: string };

/** Reads one blob at a time. */
export type BlobReader = {
  /**
   * The bytes with a hash, valid until the next read. Throws `BlobUnavailable` like `get`. Synchronous if the store
   * allows it, for threads that read thousands of blobs.
   */
  read(sha256: string): Buffer | Promise<Buffer>;
};

/** The id in a store, by which a database recognizes it. */
export type BlobIdentity = {
  /** For messages: the kind of store ("folder"), its path, and the path of the id. */
  noun: string;
  place: string;
  idPlace: string;
  /** The id, or the cause why it is missing. The cause contains no path, because /readyz is public. */
  read(): Promise<{ id?: string; cause?: string }>;
  /** Creates the id of a new store, unless another node has created it. */
  make(): Promise<void>;
};

/** `cause_code`: a code of the file system, such as ENOENT, EIO or EMFILE, or DAMAGED. */
export class BlobUnavailable extends Error {
  override readonly name = 'BlobUnavailable';
  readonly cause_code: string;

  constructor(message: string, cause_code: string, options?: ErrorOptions) {
    super(message, options);
    this.cause_code = cause_code;
  }
}
