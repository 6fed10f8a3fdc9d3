/** A thread that reads bundles and builds segments. It keeps no state between tasks. */
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { openBlobReader } from '../../platform/blobs/blob-reader.ts';
import { BlobUnavailable } from '../../platform/blobs/blobs.ts';
import { packBundle, toShared } from '../index/packed-code.ts';
import { DamagedSegment, Segment, type SegmentView } from '../index/segment.ts';
import { buildSegment, nameAt, namesOf, type SegmentBuilder } from '../index/segment-file.ts';
import type { BuilderData, FreshCode, FromBuilder, Missing, ToBuilder } from '../messages.ts';

const port = parentPort;
if (!port) throw new Error('search/builder.ts runs in a worker thread');
const data: BuilderData = workerData;
const blobs = openBlobReader(data.blobs);

/**
 * Lower priority than the event loop and the searches, for which callers wait. Only Linux has priorities per thread.
 */
const NICE = 5;
if (process.platform === 'linux') setPriority(NICE);

class Stopped extends Error {}

async function carryOut(task: ToBuilder): Promise<FromBuilder> {
  const stop = new Int32Array(task.stop);
  const mayContinue = () => {
    if (Atomics.load(stop, 0) === 1) throw new Stopped('stopped');
  };
  if ('read' in task) return readFresh(task.read, mayContinue);
  const builder = buildSegment(task.folder);
  try {
    if ('merge' in task) return merge(task, builder, mayContinue);
    const missing: Missing[] = [];
    let taken = 0;
    for await (const { number, sha256, ...read } of readCodes(task.build)) {
      mayContinue();
      if ('packed' in read) builder.add(number, sha256, read.packed);
      else missing.push({ ...read, number });
      taken += 1;
      if (builder.isFull) break;
    }
    return { segment: whole(builder, task.id), missing, left: task.build.length - taken };
  } catch (error) {
    builder.abandon();
    throw error;
  }
}

/** Completes the segment, or discards it when it is empty. */
function whole(builder: SegmentBuilder, id: number): SegmentView | null {
  if (builder.count > 0) return builder.finish(id);
  builder.abandon();
  return null;
}

async function readFresh(codes: [number, string][], mayContinue: () => void): Promise<FromBuilder> {
  const fresh: FreshCode[] = [];
  const missing: Missing[] = [];
  for await (const { number, ...read } of readCodes(codes)) {
    mayContinue();
    if ('packed' in read) fresh.push([number, toShared(read.packed)]);
    else missing.push({ ...read, number });
  }
  return { fresh, missing };
}

type Merge = Extract<ToBuilder, { merge: unknown }>;

function merge(task: Merge, builder: SegmentBuilder, mayContinue: () => void): FromBuilder {
  const dead = new Set(task.dead);
  for (const view of task.merge) {
    const segment = new Segment(view);
    const names = namesOf(view);
    if (!names) throw new DamagedSegment(view.id);
    for (const [place, number] of segment.numbers.entries()) {
      mayContinue();
      if (!dead.has(number)) builder.add(number, nameAt(names, place), segment.read(place));
    }
  }
  for (const [number, packed, sha256] of task.fresh)
    if (!dead.has(number)) builder.add(number, sha256, new Uint8Array(packed));
  return { segment: whole(builder, task.id), missing: [], left: 0 };
}

type ReadCode = { number: number; sha256: string } & ({ packed: Uint8Array } | Omit<Missing, 'number'>);

/** Reads the code of bundles, in this order; on failure with the cause: the code of an error, or DAMAGED. */
async function* readCodes(codes: [number, string][]): AsyncGenerator<ReadCode, void, undefined> {
  let done = 0;
  try {
    for await (const read of blobs.readAll(codes.map(([, sha256]) => sha256))) {
      const [number, sha256] = codes[done++] as [number, string];
      yield { number, sha256, ...(read instanceof BlobUnavailable ? { cause: read.cause_code } : packed(read)) };
    }
  } catch (error) {
    // The database is unavailable: none of the others can be read now.
    const { code = 'DATABASE', message } = error as Error & { code?: string };
    for (const [number, sha256] of codes.slice(done)) yield { number, sha256, cause: code, reason: message };
  }
}

function packed(bundle: Uint8Array): { packed: Uint8Array } | { cause: string } {
  try {
    return { packed: packBundle(bundle) };
  } catch {
    return { cause: 'DAMAGED' };
  }
}

function failureOf(error: unknown): FromBuilder {
  const failed = error instanceof Error ? error.message : String(error);
  const damaged = error instanceof DamagedSegment ? { damaged: error.segment } : {};
  return { failed, ...damaged };
}

port.on('message', (task: ToBuilder) => {
  void carryOut(task)
    .catch(failureOf)
    .then((answer) => port.postMessage(answer));
});
