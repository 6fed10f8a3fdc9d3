/** The threads that make segments: started when there is something to do, ended when there was nothing for a while. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { BlobsDescription } from '../../platform/blobs/blobs.ts';
import type { BuilderData, FromBuilder, ToBuilder } from '../messages.ts';

export type Builders = {
  /** How many tasks can be taken on now. */
  free(): number;
  run(task: ToBuilder): Promise<FromBuilder>;
  close(): Promise<void>;
};

const IDLE_MS = 10_000;

export function createBuilders(blobs: BlobsDescription): Builders {
  // One makes segments while the other reads what is new.
  let free = Math.max(2, Math.min(4, availableParallelism()));
  const idle: { worker: Worker; end: NodeJS.Timeout }[] = [];
  /** Those that have made a segment. */
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
      // The last one stays, as starting one takes longer than a deploy may take to be found; but what a segment took, a
      // thread keeps: a new one stays in its place.
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
