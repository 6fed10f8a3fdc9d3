import { msOf } from '../../lib/ids.ts';
import type { RunsTable } from '../../platform/database/tables/function-tables.ts';
import type * as store from '../store/run-batch.ts';
import { keepLines, type SaidLine, spelled } from '../store/run-lines.ts';

export type RunKey = Pick<RunsTable, 'account_id' | 'function_id' | 'run_id'>;
/** A run that is not stored completely. */
export type PendingRun = {
  key: RunKey;
  version: number;
  /** Creates the row: the complete one if the run has ended. */
  begun: (end: store.RunEnd | undefined, log: string | null) => RunsTable;
  isStored: boolean;
  lines: SaidLine[];
  /** The number of lines so far, and the time of the last one. */
  said: number;
  saidAtMs: number;
  end: store.RunEnd | undefined;
  /** When it has to be flushed, on the clock of performance.now(). */
  dueMs: number;
  /** The size of the unstored part. */
  bytes: number;
  tries: number;
  /** When the caller had the whole response, on the clock of performance.now(). */
  answeredAtMs: number | undefined;
  /** A caller or a reader waits for the end: it is flushed early. */
  isAwaited: boolean;
  /** Resolves when the run is stored completely, or was abandoned. */
  ended: Promise<void>;
  /** Called when the start is stored, and when the run is complete. */
  onStored: (() => void)[];
  onEnded: () => void;
};
/** The part of a pending run that is sent in one batch. */
export type Sent = { entry: PendingRun; withStart: boolean; lines: SaidLine[]; end: store.RunEnd | undefined };

const RUNNING = { status: 'RUNNING', duration_ms: null } as const;

export function newPendingRun(key: RunKey, version: number, begun: PendingRun['begun']): PendingRun {
  const { promise: ended, resolve: onEnded } = Promise.withResolvers<void>();
  return {
    key,
    version,
    begun,
    isStored: false,
    lines: [],
    said: 0,
    saidAtMs: msOf(key.run_id),
    end: undefined,
    dueMs: Number.POSITIVE_INFINITY,
    bytes: 0,
    tries: 0,
    answeredAtMs: undefined,
    isAwaited: false,
    ended,
    onStored: [],
    onEnded,
  };
}

/** Readers rely on the order: a line is never earlier than the previous one or its run, whatever the clock says. */
export function later(entry: PendingRun, timestamp: number): number {
  entry.saidAtMs = Math.max(entry.saidAtMs, Number.isFinite(timestamp) ? Math.trunc(timestamp) : 0);
  return entry.saidAtMs;
}

/** Converts a batch to rows. New runs that fit into their rows are separated, as they are stored faster. */
export function gather(batch: Sent[]) {
  const rows: RunsTable[] = [];
  const parts: store.RunBatch = { begun: [], ended: [], lines: [] };
  const [fresh, others]: [Sent[], Sent[]] = [[], []];
  for (const sent of batch) {
    const { entry, withStart, lines: said, end } = sent;
    const { key, version } = entry;
    // A row that may exist is not overwritten, so its lines get separate rows.
    const isNew = withStart && entry.tries === 0;
    const { log, kept } = isNew ? keepLines(key.run_id, said) : { log: null, kept: 0 };
    const isFresh = isNew && kept === said.length;
    (isFresh ? fresh : others).push(sent);
    if (withStart) (isFresh ? rows : parts.begun).push(entry.begun(end, log));
    else if (end) parts.ended.push({ ...key, ...end });
    if (kept === said.length) continue;
    const { status, duration_ms } = entry.end ?? RUNNING;
    const run = { run_id: key.run_id, version, status, duration_ms };
    for (const line of said.slice(kept)) parts.lines.push({ ...key, ...spelled(line, run) });
  }
  return { fresh, rows, others, parts };
}
