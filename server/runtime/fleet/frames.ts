/**
 * The protocol between the service and a sandboxed process besides HTTP: one JSON array per line. Orders go to stdin,
 * small requests to one connection that all runs share. Reports and small responses are written to stdout, each after a
 * MARK, which distinguishes them from text that the function writes. Stdout is ordered: after ["end", run], or the last
 * part of a response, no output of that run follows. This file is also part of the sandbox, so it uses no Node API.
 */
import type { LogLevel } from '../../../contract/states.ts';

export const MARK = '\x1e';
/** On a forwarded request: "<run id> <scheme> <source ip> <protocol> <gateway token>". The function never sees it. */
export const RUN_HEADER = 'x-sluice-run';
/** The gateway's URL inside a function. It is never resolved: see sandbox/gateway.ts. */
export const GATEWAY_ORIGIN = 'http://gateway.internal';
/** On an internal request that fetches the response of this run, after ["stream", run]. */
export const ANSWER_HEADER = 'x-sluice-answer';
/** On a response: the handler threw, and a throw report follows. Never passed on. */
export const THREW_HEADER = 'x-sluice-threw';

/**
 * On a response in one piece, with the run's id: the run has no further work, so no ["end", run] follows. Never passed
 * on.
 */
export const LAST_HEADER = 'x-sluice-last';

/** The service's egress proxy in a sandbox without a network: a loopback address that is not denied. */
export const EGRESS_HOST = '127.77.77.77';

/** On the egress proxy's error responses: why it made no connection. */
export const REFUSAL_HEADER = 'x-sluice-refusal';

/** Instead of a socket path: boot, which fills Deno's cache, and exit. */
export const WARM = '/dev/null/warm';
/** Instead of a socket path: write a memory snapshot of the interpreter to stdout, and exit. */
export const SNAPSHOT = '/dev/null/snapshot';
/** In the folder of a language with an interpreter: the module that opens it (sandbox/interpreter.ts). */
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
  /** No run is expected soon: prepare for functions that use Node. */
  | ['prepare']
  /** Requests a pong, which follows all earlier output, and reports whether that run is still in progress. */
  | Ping;
type Ping = ['ping', runId: string, turn: number];

/** Messages on the connection for small requests. */
export type Sent =
  | ['call', ...Call]
  /** No caller waits for the response of this run any more. */
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
  /** Alternating names and values. */
  headers: string[],
  /** In Base64. */
  body: string | null,
];
/**
 * A longer body is sent by HTTP, like one that is still arriving. In bytes for a request, characters for a response.
 */
export const SMALL_BODY = 16_384;

/** The limit of all headers of a response together, as for HTTP. */
export const HEADERS_MAX_CHARS = 65_536;

export type Thrown = { name: string; message: string; stack: string | null };
export type Report =
  | ['ready']
  | ['pong', live: boolean, turn: number]
  /** The run id is empty for output outside of any run. Milliseconds since the epoch. */
  | ['log', runId: string, timestamp: number, level: LogLevel, message: string]
  | ['throw', runId: string, thrown: Thrown]
  /** The first run has loaded the module, or failed to. */
  | ['loaded', runId: string]
  /**
   * The response was sent, or the caller disconnected, and all promises passed to waitUntil() have settled. Omitted
   * after a response with LAST_HEADER, unless the connection broke or a ping asked for the run while it was in
   * progress.
   */
  | ['end', runId: string]
  /** The response to a small request. After `isLast`, the run has no further work. */
  | ['answer', runId: string, status: number, headers: string[], body: string, isLast: boolean]
  /** The response to a small request is not a short text, and has to be fetched by HTTP. */
  | ['stream', runId: string];

/** The log limits of a run; more is dropped, and a last line reports it. */
export const LOG_MAX_LINES = 10_000;
export const LOG_MAX_CHARS = 256 * 1024;
