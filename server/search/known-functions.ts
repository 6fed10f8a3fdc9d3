/** The functions that searches know. The manager holds each of their codes while one of them has it. */
import type { FunctionKey, IndexedFunction } from '../functions/store/code-index.ts';
import type { Entry } from './entry.ts';
import type { IndexManager } from './index/index-manager.ts';

type Known = { account_id: string; codes: number[]; runs: number };

export class KnownFunctions {
  readonly #manager: Pick<IndexManager, 'use' | 'release'>;
  readonly #known = new Map<string, Known>();
  /** How often each of them ran. */
  #runs = new Map<string, number>();

  constructor(manager: Pick<IndexManager, 'use' | 'release'>) {
    this.#manager = manager;
  }

  keys(): FunctionKey[] {
    return [...this.#known].map(([function_id, { account_id }]) => ({ account_id, function_id }));
  }

  count(runs: Map<string, number>): void {
    this.#runs = runs;
  }

  /** The functions whose runs are another number than when they were indexed. */
  recount(runs: Map<string, number>): FunctionKey[] {
    this.#runs = runs;
    return [...this.#known].flatMap(([function_id, known]) =>
      known.runs === (runs.get(function_id) ?? 0) ? [] : [{ account_id: known.account_id, function_id }],
    );
  }

  /** Removes functions; returns those that were known. */
  remove(function_ids: string[]): string[] {
    const removed = function_ids.filter((id) => this.#known.has(id));
    for (const id of removed) {
      for (const code of this.#known.get(id)?.codes ?? []) this.#manager.release(code);
      this.#known.delete(id);
    }
    return removed;
  }

  /** Takes a function in as it is now. */
  entryOf({ versions, star_count, updated_at, ...fn }: IndexedFunction): Entry {
    const before = this.#known.get(fn.function_id)?.codes ?? [];
    const numbered = versions.map(([version, sha256]): [number, number] => [version, this.#manager.use(sha256)]);
    for (const code of before) this.#manager.release(code);
    const runs = this.#runs.get(fn.function_id) ?? 0;
    this.#known.set(fn.function_id, {
      account_id: fn.account_id,
      codes: numbered.map(([, code]) => code),
      runs,
    });
    const hidden =
      fn.visibility === 'PUBLIC'
        ? versions.flatMap(([version, , isPublic]) => (isPublic || version === fn.version ? [] : [version]))
        : [];
    const code = numbered.find(([version]) => version === fn.version)?.[1] ?? -1;
    return {
      ...fn,
      versions: numbered,
      ...(hidden.length > 0 ? { hidden } : {}),
      code,
      score: scoreOf(star_count, runs, updated_at),
      slot: 0,
    };
  }
}

/** Stars count most, then the recent runs and how recently it changed; each star and run less than the last. */
function scoreOf(stars: number, runs: number, updatedAt: string): number {
  return 4 * Math.log2(1 + stars) + 0.25 * Math.log2(1 + runs) + Date.parse(updatedAt) / 86_400_000 / 90;
}
