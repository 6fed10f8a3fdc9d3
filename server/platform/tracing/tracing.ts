/**
 * Tracing: spans of requests, events, attempts, runs and gateway calls, sent to a collector of OpenTelemetry. Without
 * settings there is no `Tracing`, and each place that would start a span checks for undefined. The SDK is loaded only
 * with settings (open-telemetry.ts).
 *
 * A span has ids, the label of the app or source, statuses and outcomes. It never has a URL, path, query, header, body
 * or error message: these are private to an account, or may have credentials.
 */
import type { Logger } from 'pino';
import type { Measures } from '../measures.ts';
import type { TracingSettings } from './settings.ts';
import type { Trace } from './trace.ts';

export type SpanName = 'hook' | 'event store' | 'delivery attempt' | 'function run' | 'gateway call';
export type SpanKind = 'SERVER' | 'CLIENT' | 'INTERNAL';
/** Ids, labels, statuses and outcomes. Null and undefined are left out. */
export type Facts = {
  account_id?: string;
  trigger_id?: string;
  event_id?: string;
  delivery_id?: string;
  destination_id?: string;
  attempt?: number;
  function_id?: string;
  version?: number;
  run_id?: string | null | undefined;
  connection_id?: string;
  /** The app or source as in metrics: custom apps have one label. */
  app?: string;
  /** The status of an HTTP response. */
  status?: number | null | undefined;
  outcome?: string;
};

export type OpenSpan = {
  /** The context for what the span causes. */
  readonly trace: Trace;
  /** Ends the span; later calls are ignored. */
  end(facts: Facts, isError: boolean): void;
};

export type Tracing = {
  /** Starts a span. Without a parent it begins a trace. */
  start(name: SpanName, kind: SpanKind, parent: Trace | undefined, facts: Facts): OpenSpan;
  /** Sends the spans that ended, within a short time. Never rejects. */
  close(): Promise<void>;
};

export type TracingParts = { log: Logger; measures: Measures; version: string; nodeId: string };

/** Undefined without settings. */
export async function openTracing(
  settings: TracingSettings | undefined,
  parts: TracingParts,
): Promise<Tracing | undefined> {
  if (!settings) return undefined;
  const { createTracing } = await import('./open-telemetry.ts');
  return createTracing(settings, parts);
}
