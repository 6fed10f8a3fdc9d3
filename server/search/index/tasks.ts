/** What builders are given to do, and what becomes of it when they fail or the service ends. */
import type { Logger } from 'pino';
import type { BlobsDescription } from '../../platform/blobs/blobs.ts';
import type { FromBuilder, ToBuilder, Without } from '../messages.ts';
import { createBuilders } from '../threads/builders.ts';

export type Done = Exclude<FromBuilder, { failed: unknown }>;
export type Task = Without<ToBuilder, 'folder' | 'stop'>;
export type MergeTask = Extract<Task, { merge: unknown }>;
export type Tasks = {
  /** How many can be taken on now. */
  free(): number;
  /** `codes` says how many, for the log. */
  run(task: Task, codes: number, take: (answer: Done) => void, fail: () => void): void;
  /** Stops those that are going; resolves when they have. */
  close(): Promise<void>;
};
type Ways = {
  folder: string;
  blobs: BlobsDescription;
  log: Pick<Logger, 'warn'>;
  /** A segment couldn't be read. */
  onDamaged: (segment: number) => void;
  /** One has ended, however it did. */
  onEnd: () => void;
};

export function createTasks({ folder, blobs, log, onDamaged, onEnd }: Ways): Tasks {
  const stop = new SharedArrayBuffer(4);
  const builders = createBuilders(blobs);
  const going = new Set<Promise<void>>();
  let isClosed = false;

  async function carryOut(...[task, codes, take, fail]: Parameters<Tasks['run']>): Promise<void> {
    let damaged: number | undefined;
    try {
      const answer = await builders.run({ ...task, folder, stop } as ToBuilder);
      if ('failed' in answer) {
        damaged = answer.damaged;
        throw new Error(answer.failed);
      }
      take(answer);
    } catch (error) {
      if (isClosed) return;
      log.warn({ err: error, codes }, 'search: the index couldn’t take some code in');
      fail();
    }
    if (damaged !== undefined) onDamaged(damaged);
    onEnd();
  }

  return {
    free: builders.free,
    run(...given) {
      const done = carryOut(...given).finally(() => going.delete(done));
      going.add(done);
    },
    async close() {
      isClosed = true;
      Atomics.store(new Int32Array(stop), 0, 1);
      await Promise.all(going);
      await builders.close();
    },
  };
}
