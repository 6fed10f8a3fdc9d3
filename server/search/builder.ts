/** A thread that reads bundles and makes segments of them. It keeps nothing between two tasks. */
import { hash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { blobPath } from '../store/blobs.ts';
import { readBundle } from './bundle.ts';
import { nameAt, namesOf } from './kept-segment.ts';
import type { FreshCode, FromBuilder, ToBuilder } from './messages.ts';
import { packCode, toShared } from './packed-code.ts';
import { DamagedSegment, Segment, type SegmentView } from './segment.ts';
import { buildSegment, type SegmentBuilder } from './segment-build.ts';

const port = parentPort;
if (!port) throw new Error('search/builder.ts runs in a worker thread');

/** Behind the event loop and the searches, for each of which somebody waits. Elsewhere all threads have one priority. */
const NICE = 5;
if (process.platform === 'linux') setPriority(NICE);

class Stopped extends Error {}

function carryOut(task: ToBuilder): FromBuilder {
  const stop = new Int32Array(task.stop);
  const goOn = () => {
    if (Atomics.load(stop, 0) === 1) throw new Stopped('stopped');
  };
  if ('read' in task) return readFresh(task.blobs, task.read, goOn);
  const builder = buildSegment(task.folder);
  try {
    if ('merge' in task) return merge(task, builder, goOn);
    const missing: number[] = [];
    let taken = 0;
    for (const [number, sha256] of task.build) {
      if (builder.isFull) break;
      goOn();
      const packed = readCode(task.blobs, sha256);
      if (packed) builder.add(number, sha256, packed);
      else missing.push(number);
      taken += 1;
    }
    return { segment: whole(builder, task.id), missing, left: task.build.length - taken };
  } catch (error) {
    builder.abandon();
    throw error;
  }
}

/** A segment of nothing is none. */
function whole(builder: SegmentBuilder, id: number): SegmentView | null {
  if (builder.count > 0) return builder.finish(id);
  builder.abandon();
  return null;
}

function readFresh(blobs: string, codes: [number, string][], goOn: () => void): FromBuilder {
  const fresh: FreshCode[] = [];
  const missing: number[] = [];
  for (const [number, sha256] of codes) {
    goOn();
    const packed = readCode(blobs, sha256);
    if (!packed) {
      missing.push(number);
      continue;
    }
    fresh.push([number, toShared(packed)]);
  }
  return { fresh, missing };
}

type Merge = Extract<ToBuilder, { merge: unknown }>;

function merge(task: Merge, builder: SegmentBuilder, goOn: () => void): FromBuilder {
  const dead = new Set(task.dead);
  for (const view of task.merge) {
    const segment = new Segment(view);
    const names = namesOf(view);
    if (!names) throw new DamagedSegment(view.id);
    for (const [place, number] of segment.numbers.entries()) {
      goOn();
      if (!dead.has(number)) builder.add(number, nameAt(names, place), segment.read(place));
    }
  }
  for (const [number, packed, sha256] of task.fresh)
    if (!dead.has(number)) builder.add(number, sha256, new Uint8Array(packed));
  return { segment: whole(builder, task.id), missing: [], left: 0 };
}

/** What was read last: a buffer for each bundle would be much of the work. */
let scratch = Buffer.allocUnsafeSlow(256 * 1024);

/** It stands until the next reading. */
function readWhole(path: string): Buffer {
  const fd = openSync(path, 'r');
  try {
    let length = 0;
    for (;;) {
      const read = readSync(fd, scratch, length, scratch.length - length, null);
      length += read;
      if (read === 0) return scratch.subarray(0, length);
      if (length < scratch.length) continue;
      const larger = Buffer.allocUnsafeSlow(2 * scratch.length);
      larger.set(scratch);
      scratch = larger;
    }
  } finally {
    closeSync(fd);
  }
}

/** Undefined when there is no such bundle, for its function was just deleted, or it is damaged. */
function readCode(blobs: string, sha256: string): Uint8Array | undefined {
  try {
    const bytes = readWhole(blobPath(blobs, sha256));
    return hash('sha256', bytes) === sha256 ? packCode(readBundle(bytes)) : undefined;
  } catch {
    return undefined;
  }
}

port.on('message', (task: ToBuilder) => {
  try {
    port.postMessage(carryOut(task));
  } catch (error) {
    const failed = error instanceof Error ? error.message : String(error);
    const damaged = error instanceof DamagedSegment ? { damaged: error.segment } : {};
    port.postMessage({ failed, ...damaged } satisfies FromBuilder);
  }
});
