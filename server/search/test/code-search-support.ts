/** Code search over functions in memory. */
import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { FunctionSource, IndexedFunction } from '../../functions/store/code-index.ts';
import { toBundle } from '../../functions/versions/bundle.ts';
import { newId } from '../../lib/ids.ts';
import { digest, openBlobFiles } from '../../platform/blobs/blob-files.ts';
import { type CodeSearch, type CodeSearchOptions, createCodeSearch } from '../code-search.ts';
import type { SearchOrder } from '../messages.ts';

const folder = mkdtempSync(join(tmpdir(), 'sluice-code-search-'));
export const place = join(folder, 'blobs');
/** Blobs as files: without a database, search reads the cache. */
export const blobs = openBlobFiles(place, Number.POSITIVE_INFINITY);

export async function putBlob(bytes: Uint8Array): Promise<string> {
  await blobs.write(digest(bytes), bytes);
  return digest(bytes);
}

const open: CodeSearch[] = [];
let count = 0;

export async function closeAll(): Promise<void> {
  for (const search of open.splice(0)) await search.close();
}
export const removeAll = (): void => rmSync(folder, { recursive: true, force: true });

/** Functions in memory, with a change log like that of the database. */
export function functions() {
  const rows = new Map<string, IndexedFunction>();
  const log: { function_id: string; mark: string }[] = [];
  const counted = new Map<string, number>();
  const note = (function_id: string) => log.push({ function_id, mark: String(log.length) });
  const source: FunctionSource = {
    page: async (after, limit) =>
      [...rows.values()]
        .sort((a, b) => (a.function_id < b.function_id ? -1 : 1))
        .filter((row) => !after || row.function_id > after.function_id)
        .slice(0, limit),
    withKeys: async (keys) => keys.flatMap(({ function_id }) => rows.get(function_id) ?? []),
    changes: async (since) => ({
      position: String(log.length),
      changed: (since === undefined ? [] : log.slice(Number(since))).map((each) => ({ account_id: 'me', ...each })),
    }),
    runs: async () => counted,
  };
  return {
    source,
    counted,
    /** Folder of the index. */
    folder: join(folder, `index-${++count}`),
    async deploy(name: string, files: Record<string, string>, more: Partial<IndexedFunction> = {}) {
      const function_id = more.function_id ?? newId();
      const before = rows.get(function_id);
      const sha256 = await putBlob(toBundle(files));
      const version = (before?.version ?? 0) + 1;
      rows.set(function_id, {
        function_id,
        account_id: 'me',
        name,
        description: '',
        runtime: 'nodejs24.x',
        visibility: 'PRIVATE',
        star_count: 0,
        updated_at: '2026-01-01T00:00:00.000000Z',
        ...before,
        ...more,
        version,
        versions: [...(before?.versions ?? []), [version, sha256]],
      });
      note(function_id);
      return { function_id, sha256 };
    },
    remove(function_id: string) {
      rows.delete(function_id);
      note(function_id);
    },
  };
}

type Functions = Pick<ReturnType<typeof functions>, 'source' | 'folder'>;

export async function start({ source, folder }: Functions, more: Partial<CodeSearchOptions> = {}): Promise<CodeSearch> {
  const log = { warn() {}, error() {} };
  const search = await createCodeSearch({
    folder,
    blobs: { folder: place },
    source,
    log,
    budgetMs: 20_000,
    ...more,
  });
  open.push(search);
  return search;
}

export const order = (query: string, more: Partial<SearchOrder> = {}): SearchOrder =>
  ({
    scope: { account_id: 'me', owner: 'SELF' },
    paths: [],
    runtime: undefined,
    limit: 100,
    context: 0,
    history: false,
    code: { mode: 'literal', query, caseSensitive: true },
    ...more,
  }) as SearchOrder;
export const regex = (query: string) => ({ code: { mode: 'regex' as const, query, caseSensitive: false } });

export async function ids(search: CodeSearch, query: string, more: Partial<SearchOrder> = {}): Promise<string[]> {
  const { found, truncated } = await search.search(order(query, more));
  expect(truncated).toBe(false);
  return found.map(({ function_id }) => function_id);
}

/** Creates enough documents for a segment. */
export async function many(all: ReturnType<typeof functions>, count = 150): Promise<string[]> {
  const made: string[] = [];
  for (let n = 0; n < count; n++) {
    const files = { 'index.ts': `// function ${n}\nexport const name = "common-${n}";\n` };
    made.push((await all.deploy(`fn ${n}`, files)).function_id);
  }
  return made;
}

/** The files in a folder that this process has open, including removed ones. */
export function openFiles(place: string): string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    const path = `/proc/self/fd/${fd}`;
    try {
      return readlinkSync(path).startsWith(place) ? [path] : [];
    } catch {
      return [];
    }
  });
}
