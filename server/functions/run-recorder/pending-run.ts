import { msOf } from '../../lib/ids.ts';
import type { RunsTable } from '../../platform/database/function-tables.ts';
import type * as store from '../store/run-batch.ts';
import { keepLines, type SaidLine, spelled } from '../store/run-lines.ts';

export type RunKey = Pick<RunsTable, 'account_id' | 'function_id' | 'run_id'>;
/** A run of which something is still to be stored. */
export type PendingRun = {
  key: RunKey;
  version: number;
  /** Makes the row: as a whole, where the run has ended. */
  begun: (end: store.RunEnd | undefined, log: string | null) => RunsTable;
  isStored: boolean;
  lines: SaidLine[];
  /** How many lines there were so far, and when the last of them was. */
  said: number;
  saidAtMs: number;
  end: store.RunEnd | undefined;
  /** When it is to leave, on the clock of performance.now(). */
  dueMs: number;
  /** Of what waits. */
  bytes: number;
  tries: number;
  /** When the caller had the whole response, on the clock of performance.now(). */
  answeredAtMs: number | undefined;
  /** A caller or a reader waits for the end: it is flushed early. */
  isAwaited: boolean;
  /** Resolves when all of the run is stored, or was abandoned. */
  ended: Promise<void>;
  /** Called when the beginning is stored, and when all is. */
  onStored: (() => void)[];
  onEnded: () => void;
};
/** What of an entry leaves in one batch. */
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

/** Readers walk by time: a line is never earlier than the one before it, or than its run, whatever clock said so. */
export function later(entry: PendingRun, timestamp: number): number {
  entry.saidAtMs = Math.max(entry.saidAtMs, Number.isFinite(timestamp) ? Math.trunc(timestamp) : 0);
  return entry.saidAtMs;
}

/** As rows. Runs that are new and need nothing but their rows go into a batch of rows alone. */
export function gather(batch: Sent[]) {
  const rows: RunsTable[] = [];
  const parts: store.RunBatch = { begun: [], ended: [], lines: [] };
  const [fresh, others]: [Sent[], Sent[]] = [[], []];
  for (const sent of batch) {
    const { entry, withStart, lines: said, end } = sent;
    const { key, version } = entry;
    // A row that may be present already isn't written over: then its lines have their own rows.
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
