/**
 * The store of function code. open-blobs.ts opens one from its description; nothing else knows what kind of store it
 * is.
 */
import type { BlobSweep } from './blob-sweep.ts';

/** Bytes under their own SHA-256 (64 lower-case hex digits): written once, never changed, equal bytes stored once. */
export type Blobs = {
  /** Stores the bytes and returns their hash; they are durable when it resolves, and safe from `sweep` for a while. */
  put(bytes: Uint8Array): Promise<string>;
  /** The bytes at an address. Throws `BlobUnavailable` when they can't be read or no longer are what was put. */
  get(sha256: string): Promise<Buffer>;
  /** Whether there is a blob. Throws when that can't be known. */
  has(sha256: string): Promise<boolean>;
  /** Forgets an address; no matter if it wasn't known. */
  remove(sha256: string): Promise<void>;
  /** Removes what nothing refers to; answers how many those were. */
  sweep(sweep: BlobSweep): Promise<number>;
  /** What another thread needs to read from the same store: openBlobReader() takes it. */
  readonly description: BlobsDescription;
  readonly identity: BlobIdentity;
};

/** Plain data, which can be sent to a thread. */
export type BlobsDescription = { kind: 'folder'; folder: string };

/** Reads blobs one after the other. */
export type BlobReader = {
  /**
   * The bytes at an address, valid until the next read. Throws `BlobUnavailable` as `get` does. At once where the store
   * allows it: a thread that reads thousands has nothing else to do meanwhile.
   */
  read(sha256: string): Buffer | Promise<Buffer>;
};

/** The id that a store holds itself, by which a database knows it again. */
export type BlobIdentity = {
  /** For messages to people: what the store is ("folder"), where it is, and where in it the id is. */
  noun: string;
  place: string;
  idPlace: string;
  /** The id, or why there is none; the cause names no place, as /readyz is open to all. */
  read(): Promise<{ id?: string; cause?: string }>;
  /** Gives a new store an id. Keeps the id that another node gave it first. */
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
