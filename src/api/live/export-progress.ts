/** The export that this tab started last, with its progress, which the live stream reports. */
import { useSyncExternalStore } from 'react';
import type { LiveChange } from '../../../contract/live.ts';
import { formatCount } from '../../lib/format.ts';
import { toast } from '../../ui/overlays/toast.ts';

export type ExportProgress = Extract<LiveChange, { noun: 'export' }>;

/** Without a report for this long, the progress is no longer shown. */
const SILENT_MS = 30_000;

const mine = new Set<string>();
const listeners = new Set<() => void>();
let shown: ExportProgress | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

function show(next: ExportProgress | undefined) {
  shown = next;
  clearTimeout(timer);
  if (next) timer = setTimeout(() => show(undefined), SILENT_MS);
  for (const listener of listeners) listener();
}

/** Follows the progress of an export that starts now. */
export function followExport(exportId: string): void {
  mine.add(exportId);
}

/** Takes the progress of this tab's exports from live changes. */
export function noteExports(changes: readonly LiveChange[]): void {
  for (const change of changes) {
    if (change.noun !== 'export' || !mine.has(change.export_id)) continue;
    if (change.status === 'RUNNING') {
      show(change);
      continue;
    }
    mine.delete(change.export_id);
    if (shown?.export_id === change.export_id) show(undefined);
    const events = `${formatCount(change.events)} ${change.events === 1 ? 'event' : 'events'}`;
    if (change.status === 'COMPLETED') toast({ title: `${events} exported`, tone: 'ok' });
    else toast({ title: 'Export stopped', description: `The file is incomplete: it has ${events}.`, tone: 'bad' });
  }
}

/** The progress of the running export; undefined without one. */
export function useExportProgress(): ExportProgress | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => shown,
  );
}
