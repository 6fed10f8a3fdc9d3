import { setTimeout as wait } from 'node:timers/promises';
import { errorFields } from '../../lib/outage-log.ts';
import type { Services } from '../../platform/context.ts';
import * as store from '../store/run-batch.ts';
import { gather, type Sent } from './pending-run.ts';
import type { RunBuffer } from './run-buffer.ts';

/** Long enough for a restart of the database, which should not lose the record of a run. */
const WAITS_MS = [250, 1000, 4000, 4000, 4000, 4000];

/** Sends batches to the database, one statement at a time. */
export class RunBatches {
  readonly #services: Pick<Services, 'db' | 'log' | 'changed'>;
  readonly #waiting: RunBuffer;

  constructor(services: Pick<Services, 'db' | 'log' | 'changed'>, waiting: RunBuffer) {
    this.#services = services;
    this.#waiting = waiting;
  }

  /** Sends everything that is due. */
  async sendAll(): Promise<void> {
    const { db } = this.#services;
    for (let left = this.#waiting.size; left > 0; ) {
      const batch = this.#waiting.take();
      if (batch.length === 0) return;
      left -= batch.length;
      const gathered = gather(batch);
      await this.#send(gathered.fresh, () => store.storeNew(db, gathered.rows));
      await this.#send(gathered.others, () => store.store(db, gathered.parts));
    }
  }

  async #send(batch: Sent[], write: () => Promise<void>): Promise<void> {
    if (batch.length === 0) return;
    const error = await errorOf(write());
    if (error === null) for (const sent of batch) this.#stored(sent);
    else if (isOfTheData(error) && batch.length > 1) await this.#oneByOne(batch);
    else await this.#failed(batch, error);
  }

  #stored(sent: Sent): void {
    const { entry, withStart, end } = sent;
    this.#waiting.stored(sent);
    if (withStart || end) {
      const { account_id, run_id, function_id } = entry.key;
      const status = end ? end.status : 'RUNNING';
      this.#services.changed(account_id, { noun: 'run', run_id, function_id, status });
    }
    if (end) this.#waiting.close(entry);
  }

  /** Stores runs one by one, so that an invalid one does not block the others. */
  async #oneByOne(batch: Sent[]): Promise<void> {
    for (const sent of batch) {
      const { rows, parts } = gather([sent]);
      parts.begun.push(...rows);
      const error = await errorOf(store.store(this.#services.db, parts));
      if (error === null) this.#stored(sent);
      else await this.#failed([sent], error);
    }
  }

  /** Queues the batch for the next attempt, or abandons runs without attempts left. */
  async #failed(batch: Sent[], error: Error): Promise<void> {
    const { log } = this.#services;
    let tries = 0;
    for (const sent of batch) {
      const { entry } = sent;
      this.#waiting.putBack(sent);
      tries = Math.max(tries, entry.tries);
      if (entry.tries <= WAITS_MS.length) this.#waiting.again(entry);
      else {
        log.error({ ...errorFields(error), run_id: entry.key.run_id }, 'run could not be stored');
        this.#waiting.close(entry);
      }
    }
    log.warn({ ...errorFields(error), runs: batch.length }, 'runs could not be stored, retrying');
    if (!isOfTheData(error)) await wait(WAITS_MS[tries - 1] ?? 0);
  }
}

async function errorOf(work: Promise<void>): Promise<Error | null> {
  try {
    await work;
    return null;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Whether the rows cause the error: the database works, and accepts others. */
function isOfTheData(error: Error): boolean {
  return 'code' in error && /^(?:2[0-9]|42|54)/.test(String(error.code));
}
