/** Stubs for the two statements per event: acknowledged events are not stored, and lost when the process ends. */
import { openSync, writeSync } from 'node:fs';
import type { Completed, Completion, Inserted } from '../../server/deliveries/store/queue/delivery-queue.ts';

export * from '../../server/deliveries/store/queue/delivery-queue.ts';

const file = openSync(process.env['BENCH_RECORDED'] ?? '/dev/null', 'w');
let recorded = 0;

export async function insert(): Promise<Inserted> {
  return { keys: [], stale: [] };
}

export async function complete(_db: unknown, completions: Completion[]): Promise<Completed[]> {
  recorded += completions.filter(({ status }) => status === 'SUCCEEDED').length;
  writeSync(file, String(recorded), 0);
  return completions.map(({ account_id, event_id, delivery_id, status }) => ({
    account_id,
    event_id,
    delivery_id,
    status,
    trigger_id: '',
    destination_id: '',
    wait_ms: null,
  }));
}
