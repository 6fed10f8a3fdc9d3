/** Reads the codes that wait: few into memory, many into a segment. */

import type { CodeTable } from '../code-table.ts';
import type { CodeChange } from '../messages.ts';
import type { PendingDocuments } from './pending-documents.ts';
import type { Places } from './places.ts';
import type { Done, Tasks } from './tasks.ts';

export type Reading = {
  /** Gives the next ones to a builder. */
  begin(): void;
};
type Ways = {
  table: CodeTable;
  tasks: Tasks;
  waiting: PendingDocuments;
  places: Pick<Places, 'takeFresh' | 'takeSegment'>;
  publish: (change: CodeChange) => Promise<void>;
};

/** Fewer than this are kept in memory first. */
const FRESH_CODES = 64;
const TASK_CODES = 30_000;

export function createReading({ table, tasks, waiting, places, publish }: Ways): Reading {
  let most = TASK_CODES;
  let hasMissing = false;

  function take(codes: ReturnType<PendingDocuments['take']>, answer: Done) {
    // Where nothing can be written, all that is larger fails again.
    most = Math.min(TASK_CODES, 2 * most);
    waiting.taken(codes, codes.length - ('left' in answer ? answer.left : 0), answer.missing);
    if ('fresh' in answer) places.takeFresh(answer.fresh);
    else if (answer.segment) places.takeSegment(answer.segment, []);
    publishMissing(answer.missing.length > 0);
  }

  function fail(codes: ReturnType<PendingDocuments['take']>) {
    // Codes that fail together may succeed one by one.
    most = Math.max(1, Math.floor(codes.length / 2));
    const [only, more] = codes;
    if (only && !more) {
      waiting.taken(codes, 1, [{ number: only.number, cause: 'FAILED' }]);
      publishMissing(true);
    } else waiting.taken(codes, 0, []);
  }

  /** Threads know which documents could not be read before a search that waited for them looks. */
  function publishMissing(isChanged: boolean) {
    if (!isChanged && !hasMissing) return;
    const missing = table.missing();
    hasMissing = missing.length > 0;
    void publish({ segments: [], fresh: [], dropped: [], gone: [], missing });
  }

  return {
    begin() {
      const codes = waiting.take(most);
      if (codes.length === 0) return;
      const named = codes.map(({ number, sha256 }): [number, string] => [number, sha256]);
      tasks.run(
        codes.length <= FRESH_CODES ? { read: named } : { build: named, id: table.newNumber() },
        codes.length,
        (answer) => take(codes, answer),
        () => fail(codes),
      );
    },
  };
}
