/**
 * What this node counts for Prometheus, in the units that Prometheus recommends. Without metrics nothing is counted.
 * Labels have few values: never ids or text of users.
 */
import { Counter, Histogram, Registry } from 'prom-client';

const COUNTERS = {
  events: ['Events that sources sent: stored, duplicate or refused.', ['source', 'outcome']],
  attempts: ['Delivery attempts that were recorded, by outcome: SUCCEEDED, or the reason of the failure.', ['outcome']],
  gateway_calls: ['Calls of apps through the gateway, by the class of the status.', ['app', 'status']],
  function_runs: ['Runs of functions that ended.', ['outcome', 'start']],
  searches: ['Code searches, complete or truncated.', ['outcome']],
  token_refreshes: ['Token refreshes.', ['outcome']],
  http_requests: ['Requests to operations of the API.', ['operation', 'status']],
  trace_spans: ['Spans that ended: sent to the collector, failed to be sent, or dropped.', ['outcome']],
  rate_limited: ['Requests that a rate limit refused.', ['limit']],
} as const satisfies Record<string, readonly [help: string, labels: readonly string[]]>;

const FAST = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const SLOW = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800, 21_600];
const HISTOGRAMS = {
  delivery_latency_seconds: ['Time from the receipt of an event to its successful delivery.', [], SLOW],
  attempt_seconds: ['Duration of delivery attempts.', [], FAST],
  gateway_call_seconds: ['Duration of calls of apps through the gateway, to the end of the response.', [], FAST],
  function_run_seconds: ['Duration of runs of functions.', ['start'], FAST],
  search_seconds: ['Duration of code searches.', [], FAST],
  http_request_seconds: ['Duration of requests to operations of the API.', ['operation'], FAST],
} as const satisfies Record<string, readonly [help: string, labels: readonly string[], buckets: number[]]>;

type Counters = typeof COUNTERS;
type Histograms = typeof HISTOGRAMS;
type Labels<Names extends readonly string[]> = Record<Names[number], string>;

export type Measures = {
  count<N extends keyof Counters>(name: N, labels: Labels<Counters[N][1]>, by?: number): void;
  /** `seconds`: the observed value. */
  observe<N extends keyof Histograms>(name: N, labels: Labels<Histograms[N][1]>, seconds: number): void;
  /** The registry of these and further metrics; undefined if nothing is counted. */
  readonly registry: Registry | undefined;
};

export const NO_MEASURES: Measures = { count() {}, observe() {}, registry: undefined };

export function createMeasures(): Measures {
  const registry = new Registry();
  const counters = new Map(
    Object.entries(COUNTERS).map(([name, [help, labelNames]]) => [
      name,
      new Counter({ name: `sluice_${name}_total`, help, labelNames, registers: [registry] }),
    ]),
  );
  const histograms = new Map(
    Object.entries(HISTOGRAMS).map(([name, [help, labelNames, buckets]]) => [
      name,
      new Histogram({ name: `sluice_${name}`, help, labelNames, buckets, registers: [registry] }),
    ]),
  );
  return {
    registry,
    count: (name, labels, by = 1) => counters.get(name)?.inc(labels, by),
    observe: (name, labels, seconds) => histograms.get(name)?.observe(labels, seconds),
  };
}

/** "2xx" for 204, "none" without a status. */
export const statusClass = (status: number | null): string =>
  status === null ? 'none' : `${Math.floor(status / 100)}xx`;
