/**
 * The pool of threads that build segments: started on demand, stopped when idle. Runs their tasks, and reports
 * failures.
 */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { BlobsDescription } from '../../platform/blobs/blobs.ts';
import type { BuilderData, BuilderTask, FromBuilder, ToBuilder } from '../messages.ts';

export type Done = Exclude<FromBuilder, { failed: unknown }>;
export type MergeTask = Extract<BuilderTask, { merge: unknown }>;
export type Tasks = {
  /** How many tasks can start now. */
  free(): number;
  /** `codes` is the number of documents, for the log. */
  run(task: BuilderTask, codes: number, take: (answer: Done) => void, fail: () => void): void;
  /** Stops the running tasks; resolves when they have ended. */
  close(): Promise<void>;
};
type Ways = {
  folder: string;
  blobs: BlobsDescription;
  log: Pick<Logger, 'warn'>;
  /** Called when a segment could not be read. */
  onDamaged: (segment: number) => void;
  /** Called when a task has ended, successful or not. */
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
      const answer = await builders.run({ ...task, folder, stop });
      if ('failed' in answer) {
        damaged = answer.damaged;
        throw new Error(answer.failed);
      }
      take(answer);
    } catch (error) {
      if (isClosed) return;
      log.warn({ err: error, codes }, 'search: documents could not be indexed');
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

/** The pool of threads. */
type Builders = {
  /** How many tasks can start now. */
  free(): number;
  run(task: ToBuilder): Promise<FromBuilder>;
  close(): Promise<void>;
};

const IDLE_MS = 10_000;

function createBuilders(blobs: BlobsDescription): Builders {
  // At least two: one builds segments while the other reads new documents.
  let free = Math.max(2, Math.min(4, availableParallelism()));
  const idle: { worker: Worker; end: NodeJS.Timeout }[] = [];
  /** Threads that have built a segment. */
  const large = new WeakSet<Worker>();

  const start = (): Worker => {
    const worker = new Worker(new URL('builder.ts', import.meta.url), {
      name: 'builder',
      workerData: { blobs } satisfies BuilderData,
      trackUnmanagedFds: false,
    });
    worker.unref();
    return worker;
  };

  function take(): Worker {
    const next = idle.pop();
    clearTimeout(next?.end);
    return next?.worker ?? start();
  }

  function give(worker: Worker) {
    worker.removeAllListeners();
    worker.on('error', () => {});
    const end = setTimeout(() => {
      // The last idle thread stays, as a thread may take longer to start than a deploy should take to be found. But
      // threads keep the memory of a segment build, so a new thread replaces one that has built a segment.
      const isLast = idle.length < 2;
      if (isLast && !large.has(worker)) return;
      const at = idle.findIndex((each) => each.worker === worker);
      if (at >= 0) idle.splice(at, 1);
      void worker.terminate();
      if (isLast) give(start());
    }, IDLE_MS).unref();
    idle.push({ worker, end });
  }

  return {
    free: () => free,
    async run(task) {
      free -= 1;
      const worker = take();
      const { promise, resolve, reject } = Promise.withResolvers<FromBuilder>();
      worker.removeAllListeners();
      worker.once('message', resolve);
      worker.once('error', reject);
      worker.once('exit', (code) => reject(new Error(`a builder ended with ${code}`)));
      worker.postMessage(task);
      try {
        const answer = await promise;
        if (!('read' in task)) large.add(worker);
        give(worker);
        return answer;
      } finally {
        free += 1;
      }
    },
    async close() {
      for (const { worker, end } of idle.splice(0)) {
        clearTimeout(end);
        await worker.terminate();
      }
    },
  };
}
