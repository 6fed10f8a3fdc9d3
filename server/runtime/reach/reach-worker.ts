/** The thread that reads one version's files and ends. */
import { parentPort, workerData } from 'node:worker_threads';
import { readFiles } from './read-files.ts';

parentPort?.postMessage(readFiles(workerData as Record<string, string>));
