import { errorFields } from '../../lib/outage-log.ts';
import type { Services } from '../../platform/context.ts';
import * as triggerKeys from '../store/queue/trigger-keys.ts';
import type { StoredEvent } from './store-events.ts';

/**
 * The time of each trigger's last event, written in one batch at most once a second; rarer if the batch is large, so
 * that events of many triggers do not cost an update each.
 */
export type LastEvents = {
  note(events: StoredEvent[]): void;
  /** Writes what is pending. */
  idle(): Promise<void>;
};

const APART_MS = 1000;
const MOST_APART_MS = 15_000;
/** Rows of a batch per second until the next one. */
const ROWS_PER_SECOND = 100;

type Last = { account_id: string; trigger_id: string; at: string };

export function createLastEvents({ db, log }: Pick<Services, 'db' | 'log'>): LastEvents {
  const latest = new Map<string, Last>();
  let writing: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let nextMs = Number.NEGATIVE_INFINITY;

  function schedule() {
    if (timer || writing || latest.size === 0) return;
    timer = setTimeout(
      () => {
        timer = undefined;
        void write();
      },
      Math.max(0, nextMs - performance.now()),
    ).unref();
  }

  function write(): Promise<void> {
    const batch = [...latest.values()];
    latest.clear();
    const apartMs = Math.max(APART_MS, (batch.length * 1000) / ROWS_PER_SECOND);
    nextMs = performance.now() + Math.min(apartMs, MOST_APART_MS);
    writing = triggerKeys
      .noteLastEvents(db, batch)
      .catch((error: unknown) => log.warn({ ...errorFields(error) }, 'times of last events could not be stored'))
      .finally(() => {
        writing = undefined;
        schedule();
      });
    return writing;
  }

  return {
    note(events) {
      for (const { account_id, trigger_id, received_at } of events)
        latest.set(trigger_id, { account_id, trigger_id, at: received_at });
      schedule();
    },
    async idle() {
      await writing;
      clearTimeout(timer);
      timer = undefined;
      if (latest.size > 0) await write();
      clearTimeout(timer);
    },
  };
}
