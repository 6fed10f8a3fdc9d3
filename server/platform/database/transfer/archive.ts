/**
 * The file of an export, compressed with zstd:
 *
 *   sluice export 1
 *   {"version": …, "schema": […], "partitions": […], "tables": […]}        one line
 *   {"table": "accounts"}                                                    one line for each table, then its rows:
 *   <length, 4 bytes> <rows in PostgreSQL's binary form> … <0, 4 bytes>
 *   {"sums": {"accounts": {"rows": …, "sum": …}, …}}                        one line
 *
 * A file that ends earlier is not an export.
 */

import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { type FileHandle, lstat, open, rename, rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib';
import { z } from 'zod';
import { operatorCommand } from '../../../lib/operator-command.ts';
import { Refusal } from '../refusal.ts';

const MAGIC = 'sluice export 1';
const LINE_MAX_BYTES = 16 * 1024 * 1024;
const FRAME_MAX_BYTES = 64 * 1024 * 1024;

const Head = z.object({
  version: z.string().max(100),
  schema: z.array(z.string().regex(/^\d{3}-[a-z0-9-]{1,100}$/)).max(1000),
  partitions: z
    .array(
      z.object({
        name: z.string().regex(/^[a-z0-9_]{1,63}$/),
        parent: z.string().regex(/^[a-z0-9_]{1,63}$/),
        bound: z.string().regex(/^(?:DEFAULT|FOR VALUES FROM \('[0-9a-f-]{36}'\) TO \('[0-9a-f-]{36}'\))$/),
      }),
    )
    .max(100_000),
  tables: z.array(
    z.object({
      name: z.string().regex(/^[a-z0-9_]{1,63}$/),
      columns: z.array(z.string().regex(/^[a-z0-9_"]{1,65}$/)).max(500),
    }),
  ),
});
export type Head = z.infer<typeof Head>;
const Sums = z.object({ sums: z.record(z.string(), z.object({ rows: z.string(), sum: z.string() })) });
export type Sums = z.infer<typeof Sums>['sums'];

export type ArchiveWriter = {
  line(value: object): Promise<void>;
  rows(rows: Readable): Promise<void>;
  /** Stores the file under its name, durably. */
  end(): Promise<void>;
  /** Removes what was written. */
  abandon(): Promise<void>;
};

/** Writes beside the file until `end`, so that a file with its name is complete. */
export async function createArchive(path: string): Promise<ArchiveWriter> {
  const partial = `${path}.part`;
  if (await exists(path)) throw new Refusal(`${path} exists already.`, 'Name another file with --to, or remove it.');
  let file: FileHandle;
  try {
    file = await open(partial, 'wx', 0o600);
  } catch (error) {
    throw fileRefusal(partial, error);
  }
  const zstd = createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } });
  // It syncs and closes the file at the end.
  const written = pipeline(zstd, file.createWriteStream({ flush: true }));
  // Its writer reports a failure.
  written.catch(() => {});
  const write = async (bytes: string | Buffer) => {
    try {
      if (!zstd.write(bytes)) await Promise.race([once(zstd, 'drain'), written]);
    } catch {
      await written.catch((error: unknown) => {
        throw fileRefusal(partial, error);
      });
    }
  };
  await write(`${MAGIC}\n`);
  return {
    line: (value) => write(`${JSON.stringify(value)}\n`),
    async rows(rows) {
      for await (const chunk of rows as AsyncIterable<Buffer>) {
        await write(lengthOf(chunk.length));
        await write(chunk);
      }
      await write(lengthOf(0));
    },
    async end() {
      zstd.end();
      try {
        await written;
        await rename(partial, path);
      } catch (error) {
        throw fileRefusal(path, error);
      }
    },
    async abandon() {
      zstd.destroy();
      await written.catch(() => {});
      await rm(partial, { force: true });
    },
  };
}

const exists = (path: string) =>
  lstat(path).then(
    () => true,
    () => false,
  );

function lengthOf(bytes: number): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes);
  return length;
}

export type ArchiveReader = {
  head: Head;
  /** The name of the next table. */
  table(): Promise<string>;
  /** Its rows. */
  rows(): AsyncGenerator<Buffer, void, undefined>;
  /** After the last table. */
  sums(): Promise<Sums>;
  close(): void;
};

export async function openArchive(path: string): Promise<ArchiveReader> {
  const source = createReadStream(path);
  const bytes = source.pipe(createZstdDecompress());
  source.on('error', (error) => bytes.destroy(error));
  const chunks = bytes[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let rest: Buffer = Buffer.alloc(0);

  async function more(): Promise<void> {
    let next: IteratorResult<Buffer>;
    try {
      next = await chunks.next();
    } catch (error) {
      throw unreadable(path, error);
    }
    if (next.done) throw unreadable(path);
    rest = Buffer.concat([rest, next.value]);
  }

  async function line(): Promise<string> {
    for (let end = rest.indexOf(10); ; end = rest.indexOf(10)) {
      if (end >= 0) {
        const text = rest.toString('utf8', 0, end);
        rest = rest.subarray(end + 1);
        return text;
      }
      if (rest.length > LINE_MAX_BYTES) throw unreadable(path);
      await more();
    }
  }

  async function take(length: number): Promise<Buffer> {
    while (rest.length < length) await more();
    const taken = rest.subarray(0, length);
    rest = rest.subarray(length);
    return taken;
  }

  const parsed = async <T>(schema: z.ZodType<T>): Promise<T> => {
    const text = await line();
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      throw unreadable(path);
    }
    const read = schema.safeParse(value);
    if (!read.success) throw unreadable(path, read.error);
    return read.data;
  };

  if ((await line()) !== MAGIC) throw unreadable(path);
  return {
    head: await parsed(Head),
    table: async () => (await parsed(z.object({ table: z.string() }))).table,
    async *rows() {
      for (;;) {
        const length = (await take(4)).readUInt32BE(0);
        if (length === 0) return;
        if (length > FRAME_MAX_BYTES) throw unreadable(path);
        yield take(length);
      }
    },
    sums: async () => (await parsed(Sums)).sums,
    close: () => void source.destroy(),
  };
}

/** The refusal of a file that is not an export, or no whole one. */
export function unreadable(path: string, cause?: unknown): Refusal {
  const { code } = (cause ?? {}) as { code?: string };
  if (code === 'ENOENT')
    return new Refusal(`${path} does not exist.`, `Expected a file that \`${operatorCommand('export')}\` wrote.`);
  return new Refusal(
    `${path} is not a complete export.`,
    'Export again, or copy the file again. Nothing was changed.',
    { cause },
  );
}

function fileRefusal(path: string, error: unknown): Refusal {
  const { code = '', message = String(error) } = error as { code?: string; message?: string };
  const why: Record<string, string> = {
    EEXIST: `${path} exists: another export writes it, or one was killed.`,
    ENOENT: `The folder of ${path} does not exist.`,
    EACCES: `${path} can't be written by this user.`,
    ENOSPC: `The disk of ${path} is full.`,
    EDQUOT: `The disk of ${path} is full.`,
    EROFS: `${path} is on a read-only file system.`,
  };
  return new Refusal(
    why[code] ?? `${path} can't be written: ${message}.`,
    'Name another file with --to, or remove it.',
    {
      cause: error,
    },
  );
}
