/**
 * What the service and a sandboxed process say to each other besides HTTP: one JSON array a line. Orders go in by
 * stdin, small requests by one connection that all runs share; reports and small answers come out by stdout, each after
 * a MARK, so that text which a function itself writes to stdout can be distinguished from them. Stdout is one queue:
 * anyone who reads ["end", run], or the last of an answer, has read every line of that run before it.
 * This file is also part of the sandbox: it takes nothing from Node.
 */
import type { LogLevel } from '../../../contract/states.ts';

export const MARK = '\x1e';
/** On a forwarded request: "<run id> <scheme> <source ip> <protocol> <gateway token>". The function never sees it. */
export const RUN_HEADER = 'x-sluice-run';
/** What a function calls the service's gateway by. It is no name of the network: see sandbox/gateway.ts. */
export const GATEWAY_ORIGIN = 'http://gateway.internal';
/** On a request that is none: it fetches the answer of this run, announced by ["stream", run]. */
export const ANSWER_HEADER = 'x-sluice-answer';
/** On an answer: the handler threw; a throw report is on its way. Never passed on. */
export const THREW_HEADER = 'x-sluice-threw';

/**
 * On an answer that comes in one piece, with the run's id: no work of the run is left after it, so that no ["end", run]
 * follows. Never passed on.
 */
export const LAST_HEADER = 'x-sluice-last';

/** In a sandbox without a network: the service's egress proxy. One loopback address that isn't denied. */
export const EGRESS_HOST = '127.77.77.77';

/** On the egress proxy's own answers: why it made no connection. */
export const REFUSAL_HEADER = 'x-sluice-refusal';

/** In place of a socket: boot, which fills Deno's cache, and end. */
export const WARM = '/dev/null/warm';
/** In place of a socket: write a memory snapshot of the interpreter to stdout, and end. */
export const SNAPSHOT = '/dev/null/snapshot';
/** In the folder of a language that has an interpreter: the module that opens it (sandbox/interpreter.ts). */
export const INTERPRETER_FILE = 'interpreter.mjs';

export type Assignment = {
  code: string;
  exportName: string;
  handler: string;
  label: string;
  env: Record<string, string>;
};
export type Order =
  | ['assign', Assignment]
  /** It is not needed at once: get ready for functions that use Node. */
  | ['prepare']
  /** Asks for a pong, which comes after everything said before, and says whether that run is still in progress. */
  | Ping;
type Ping = ['ping', runId: string, turn: number];

/** What goes in by the connection for small requests. */
export type Sent =
  | ['call', ...Call]
  /** No caller waits for the answer of this run any more. */
  | ['leave', runId: string]
  | Ping;
export type Call = [
  runId: string,
  gatewayToken: string,
  method: string,
  scheme: 'http' | 'https',
  host: string,
  path: string,
  protocol: string,
  source_ip: string,
  /** Names and values in turn. */
  headers: string[],
  /** In Base64. */
  body: string | null,
];
/** A longer body goes by HTTP, and so does one whose end hasn't arrived; of an answer, these are characters. */
export const SMALL_BODY = 16_384;

/** Of an answer's headers, all together: what a head by HTTP may have. */
export const HEADERS_MAX_CHARS = 65_536;

export type Thrown = { name: string; message: string; stack: string | null };
export type Report =
  | ['ready']
  | ['pong', live: boolean, turn: number]
  /** The run id is empty for what was said outside of any run. Milliseconds since the epoch. */
  | ['log', runId: string, timestamp: number, level: LogLevel, message: string]
  | ['throw', runId: string, thrown: Thrown]
  /** The run was the first: the module has been loaded, or will never be. */
  | ['loaded', runId: string]
  /**
   * The answer is out, or the caller gone, and everything handed to waitUntil() has settled. Not after an answer with
   * LAST_HEADER, unless the connection broke or a ping asked for the run while it was in progress.
   */
  | ['end', runId: string]
  /** To a request that came by the connection for small ones. No work of the run is left after the last part. */
  | ['answer', runId: string, status: number, headers: string[], body: string, isLast: boolean]
  /** The answer to such a request isn't a short text: it is to be fetched by HTTP. */
  | ['stream', runId: string];

/** What a run may say; more is dropped and a last line says so. */
export const LOG_MAX_LINES = 10_000;
export const LOG_MAX_CHARS = 256 * 1024;
