/** Messages between the main process and its service processes. */
import type { Connection } from '../platform/database/connection.ts';

export type ToService =
  | ({ type: 'start' } & Start)
  | { type: 'stop' }
  /** Without waiting for open requests and runs. */
  | { type: 'stop now' }
  /** Asks for the metrics of this process. */
  | { type: 'metrics'; asked: number }
  /** The metrics of all processes, as this one asked. */
  | { type: 'page'; asked: number; page: string };

export type ToMain =
  | ({ type: 'ready' } & Ready)
  /** The service could not start: why, for the operator. */
  | { type: 'failed'; why: string }
  | { type: 'metrics'; asked: number; metrics: unknown[] }
  | { type: 'page'; asked: number };

export type Start = {
  /** The settings: a service process has none in its environment. */
  env: Record<string, string | undefined>;
  /** Of the embedded database, which the main process started. */
  connection: Connection | undefined;
  /** The port that the first process opened. */
  port: number | undefined;
  version: string;
  /** Whether no other process uses the database yet. */
  isFirst: boolean;
};

export type Ready = { port: number; welcomeUrl: string | null; sandbox: SandboxState };
export type SandboxState = { mode: string; isFallback: boolean; advice: string | undefined };
