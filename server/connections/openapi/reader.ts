/** A thread that reads one OpenAPI document: parsing 10 MB of YAML takes seconds. */
import { parentPort, workerData } from 'node:worker_threads';
import { UnreadableDocument } from './document.ts';
import { type Draft, draftOf } from './draft.ts';

export type ReaderData = { text: string; source: string | undefined };
export type FromReader = { draft: Draft } | { problem: string };

function read({ text, source }: ReaderData): FromReader {
  try {
    return { draft: draftOf(text, source) };
  } catch (error) {
    if (error instanceof UnreadableDocument) return { problem: error.message };
    throw error;
  }
}

parentPort?.postMessage(read(workerData as ReaderData));
