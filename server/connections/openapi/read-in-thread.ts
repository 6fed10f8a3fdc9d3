import { Worker } from 'node:worker_threads';
import { OPENAPI_AT_ONCE, OPENAPI_SECONDS } from '../../../contract/limits.ts';
import { createKeyedSemaphore } from '../refresh/keyed-semaphore.ts';
import type { FromReader, ReaderData } from './reader.ts';

/** Memory of the thread: 10 MB of YAML need 250 MB. */
const MAX_MB = 768;

const threads = createKeyedSemaphore({ total: OPENAPI_AT_ONCE, each: OPENAPI_AT_ONCE });

/** Reads a document in a thread of limited memory and time. One at a time, so that the rest of the service keeps a core. */
export function readInThread(data: ReaderData): Promise<FromReader> {
  return threads.run('', () => startReader(data));
}

function startReader(workerData: ReaderData): Promise<FromReader> {
  const { promise, resolve, reject } = Promise.withResolvers<FromReader>();
  const worker = new Worker(new URL('reader.ts', import.meta.url), {
    name: 'openapi',
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: MAX_MB },
    trackUnmanagedFds: false,
  });
  const deadline = setTimeout(
    () => resolve({ problem: `expected a document that can be read within ${OPENAPI_SECONDS} s` }),
    OPENAPI_SECONDS * 1000,
  );
  worker.once('message', resolve);
  worker.once('error', (error) =>
    'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
      ? resolve({ problem: `expected a document that can be read with ${MAX_MB} MB of memory` })
      : reject(error),
  );
  worker.once('exit', (code) => reject(new Error(`the reader of OpenAPI documents ended with ${code}`)));
  return promise.finally(() => {
    clearTimeout(deadline);
    void worker.terminate();
  });
}
