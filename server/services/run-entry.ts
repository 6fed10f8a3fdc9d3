import { msOf } from '../lib/ids.ts';
import type { RunsTable } from '../store/function-tables.ts';
import type * as store from '../store/run-batch.ts';
import { keepLines, type SaidLine, spelled } from '../store/run-lines.ts';

export type RunKey = Pick<RunsTable, 'account_id' | 'function_id' | 'run_id'>;
/** A run of which something is still to be stored. */
export type RunEntry = {
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
  /** Told when the beginning is stored, and when all is. */
  onStored: (() => void)[];
  onEnded: () => void;
};
/** What of an entry leaves in one batch. */
export type Sent = { entry: RunEntry; withStart: boolean; lines: SaidLine[]; end: store.RunEnd | undefined };

const GOES_ON = { status: 'RUNNING', duration_ms: null } as const;

export function newEntry(key: RunKey, version: number, begun: RunEntry['begun'], onEnded: () => void): RunEntry {
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
    onStored: [],
    onEnded,
  };
}

/** Readers walk by time: a line is never earlier than the one before it, or than its run, whatever clock said so. */
export function later(entry: RunEntry, timestamp: number): number {
  entry.saidAtMs = Math.max(entry.saidAtMs, Number.isFinite(timestamp) ? Math.trunc(timestamp) : 0);
  return entry.saidAtMs;
}

/** As rows. Runs that are new, and have nothing to say beside their rows, go by themselves. */
export function gather(batch: Sent[]) {
  const rows: RunsTable[] = [];
  const parts: store.RunBatch = { begun: [], ended: [], lines: [] };
  const [fresh, others]: [Sent[], Sent[]] = [[], []];
  for (const sent of batch) {
    const { entry, withStart, lines: said, end } = sent;
    const { key, version } = entry;
    // A row that may be there already isn't written over: then its lines have rows of their own.
    const isNew = withStart && entry.tries === 0;
    const { log, kept } = isNew ? keepLines(key.run_id, said) : { log: null, kept: 0 };
    const isFresh = isNew && kept === said.length;
    (isFresh ? fresh : others).push(sent);
    if (withStart) (isFresh ? rows : parts.begun).push(entry.begun(end, log));
    else if (end) parts.ended.push({ ...key, ...end });
    if (kept === said.length) continue;
    const { status, duration_ms } = entry.end ?? GOES_ON;
    const run = { run_id: key.run_id, version, status, duration_ms };
    for (const line of said.slice(kept)) parts.lines.push({ ...key, ...spelled(line, run) });
  }
  return { fresh, rows, others, parts };
}
