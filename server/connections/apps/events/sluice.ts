/** Events that server/conditions/ creates. All have the same members; `details` depends on the type. */
import type { EventTypeDefinition } from '../source.ts';
import {
  destination,
  everything,
  expiry,
  type JsonSchema,
  none,
  rejections,
  runs,
  storage,
  watched,
} from './sluice-parameters.ts';

const ID = '019b8d5e-7c00-7a51-8f3e-3d2f6f0c1a01';
const OTHER_ID = '019b8d5e-7c00-7a51-8f3e-3d2f6f0c1a02';
const FINISHED = '2026-01-05T09:05:00.000000Z';
const LINK = 'https://sluice.example.com';

type More = {
  title: string;
  text: string;
  severity: 'critical' | 'error' | 'warning' | 'info';
  link: string;
  resource: { kind: string; id: string; name: string };
  count?: number;
  last_error?: string;
  details?: object;
};

function sample(type: string, state: 'opened' | 'recovered' | 'happened', more: More) {
  const { title, text, severity, link, resource, count = null, last_error = null, details = {} } = more;
  return {
    type,
    state,
    title,
    text,
    severity,
    link,
    condition_id: '5f0c5a0e-3c1b-8d11-aa57-0b0f6f1d2c33',
    occurred_at: '2026-01-05T09:05:00.000000Z',
    since: '2026-01-05T09:00:00.000000Z',
    count,
    last_error,
    resource,
    details,
  };
}

const PROBLEM = 'Function “enrich” throws TypeError in total (orders.ts): order.total is undefined';
const problem = (
  type: string,
  state: 'opened' | 'recovered',
  severity: More['severity'],
  text: string,
  details: object,
) =>
  sample(type, state, {
    severity,
    title: state === 'recovered' ? `Resolved: ${PROBLEM}` : PROBLEM,
    text,
    link: `${LINK}/problems/${ID}`,
    resource: { kind: 'problem', id: ID, name: PROBLEM },
    count: 3,
    details,
  });
const TRIGGER = { trigger_id: OTHER_ID, trigger_name: 'Orders' };
const FAILING = sample('destination.failing', 'opened', {
  severity: 'error',
  title: 'Destination “CRM” is failing',
  text: '5 attempts in a row failed since 2026-01-05 09:00 UTC (trigger “Orders”). Last error: The endpoint returned 500.',
  link: `${LINK}/triggers/${OTHER_ID}/destinations/${ID}`,
  resource: { kind: 'destination', id: ID, name: 'CRM' },
  count: 5,
  last_error: 'The endpoint returned 500.',
  details: TRIGGER,
});

const TYPES: [event_type: string, description: string, schema: JsonSchema, sample: unknown][] = [
  [
    'sluice.failure',
    'Every failure that needs a person, and its recovery: all types except replay.finished and those of problems.',
    everything,
    FAILING,
  ],
  [
    'connection.failed',
    'A connection failed: its credentials no longer work.',
    none,
    sample('connection.failed', 'opened', {
      severity: 'error',
      title: 'Connection “GitHub, main” failed',
      text: 'Requests with this connection are rejected since 2026-01-05 09:00 UTC. Connect it again. Last error: The refresh token was revoked.',
      link: `${LINK}/connections/${ID}`,
      resource: { kind: 'connection', id: ID, name: 'GitHub, main' },
      last_error: 'The refresh token was revoked.',
      details: { app: 'github', code: 'REFRESH_REJECTED' },
    }),
  ],
  [
    'connection.recovered',
    'A failed connection works again, or was deleted.',
    none,
    sample('connection.recovered', 'recovered', {
      severity: 'info',
      title: 'Connection “GitHub, main” recovered',
      text: 'It was connected again after 5 minutes.',
      link: `${LINK}/connections/${ID}`,
      resource: { kind: 'connection', id: ID, name: 'GitHub, main' },
    }),
  ],
  ['destination.failing', 'A destination fails, by failures in a row or by a failure rate.', destination, FAILING],
  [
    'destination.disabled',
    'A destination was disabled automatically: it returned 410, or failed for days.',
    none,
    sample('destination.disabled', 'opened', {
      severity: 'critical',
      title: 'Destination “CRM” was disabled',
      text: 'The endpoint returned 410 (trigger “Orders”). New deliveries to it are skipped until you enable it.',
      link: `${LINK}/triggers/${OTHER_ID}/destinations/${ID}`,
      resource: { kind: 'destination', id: ID, name: 'CRM' },
      last_error: 'The endpoint returned 410, and the destination was disabled.',
      details: { ...TRIGGER, reason: 'GONE' },
    }),
  ],
  [
    'destination.recovered',
    'A failing or disabled destination accepts deliveries again, was enabled, or was deleted.',
    destination,
    sample('destination.recovered', 'recovered', {
      severity: 'info',
      title: 'Destination “CRM” recovered',
      text: 'It accepts deliveries again after 5 minutes (trigger “Orders”).',
      link: `${LINK}/triggers/${OTHER_ID}/destinations/${ID}`,
      resource: { kind: 'destination', id: ID, name: 'CRM' },
      details: TRIGGER,
    }),
  ],
  [
    'delivery.exhausted',
    'Deliveries to a destination used all their attempts. One event per destination until an hour passes without one.',
    none,
    sample('delivery.exhausted', 'happened', {
      severity: 'error',
      title: 'Deliveries to “CRM” exhausted their retries',
      text: '3 deliveries in the last hour are not retried any more (trigger “Orders”). Replay them when the cause is fixed. Last error: The endpoint returned 500.',
      link: `${LINK}/events?status=FAILED&trigger=${OTHER_ID}`,
      resource: { kind: 'destination', id: ID, name: 'CRM' },
      count: 3,
      last_error: 'The endpoint returned 500.',
      details: TRIGGER,
    }),
  ],
  [
    'replay.finished',
    'A bulk replay is complete.',
    none,
    sample('replay.finished', 'happened', {
      severity: 'info',
      title: 'Replay of 1200 deliveries is complete',
      text: '1180 succeeded, 20 failed, 0 were skipped.',
      link: `${LINK}/replays/${ID}`,
      resource: { kind: 'replay', id: ID, name: 'Replay of 1200 deliveries' },
      count: 1200,
      details: { total: 1200, succeeded: 1180, failed: 20, skipped: 0, created_by: 'Ann', finished_at: FINISHED },
    }),
  ],
  [
    'replay.stopped',
    'A bulk replay stopped before its end: its canary failed, or its trigger was deleted.',
    none,
    sample('replay.stopped', 'happened', {
      severity: 'warning',
      title: 'Replay of 1200 deliveries stopped',
      text: '5 of the first 5 deliveries failed again. 0 succeeded, 5 failed, 0 were skipped.',
      link: `${LINK}/replays/${ID}`,
      resource: { kind: 'replay', id: ID, name: 'Replay of 1200 deliveries' },
      count: 1200,
      last_error: '5 of the first 5 deliveries failed again.',
      details: { total: 1200, succeeded: 0, failed: 5, skipped: 0, created_by: 'Ann', finished_at: FINISHED },
    }),
  ],
  [
    'source.rejecting',
    'Requests to a webhook endpoint are rejected. Reported again with the state recovered.',
    rejections,
    sample('source.rejecting', 'opened', {
      severity: 'error',
      title: 'Requests to trigger “Orders” are rejected',
      text: '3 requests were rejected since 2026-01-05 09:00 UTC. Last error: The signature does not match.',
      link: `${LINK}/triggers/${ID}/rejections`,
      resource: { kind: 'trigger', id: ID, name: 'Orders' },
      count: 3,
      last_error: 'The signature does not match.',
      details: { cause: 'SIGNATURE_WRONG', source: 'webhook' },
    }),
  ],
  [
    'schedule.missed',
    'Schedules did not fire at their time, because no node was running.',
    none,
    sample('schedule.missed', 'happened', {
      severity: 'warning',
      title: 'Schedule “Nightly export” missed 2 times',
      text: '2 times from 2026-01-05 08:00 UTC to 2026-01-05 08:30 UTC passed without an event. Each schedule fired once since, with its missed times in the event.',
      link: `${LINK}/triggers/${ID}/events`,
      resource: { kind: 'trigger', id: ID, name: 'Nightly export' },
      count: 2,
      details: {
        schedules: [
          {
            trigger_id: ID,
            name: 'Nightly export',
            count: 2,
            first: '2026-01-05T08:00:00.000000Z',
            last: '2026-01-05T08:30:00.000000Z',
          },
        ],
        schedule_count: 1,
        first: '2026-01-05T08:00:00.000000Z',
        last: '2026-01-05T08:30:00.000000Z',
      },
    }),
  ],
  [
    'function.failing',
    'A function fails, by failed runs in a row or by a failure rate.',
    runs,
    sample('function.failing', 'opened', {
      severity: 'error',
      title: 'Function “enrich” is failing',
      text: '5 runs in a row failed since 2026-01-05 09:00 UTC. Last error: TypeError: order.total is undefined.',
      link: `${LINK}/functions/${ID}/runs`,
      resource: { kind: 'function', id: ID, name: 'enrich' },
      count: 5,
      last_error: 'TypeError: order.total is undefined.',
      details: { run_id: OTHER_ID, version: 3 },
    }),
  ],
  [
    'function.recovered',
    'A failing function succeeds again, or was deleted.',
    runs,
    sample('function.recovered', 'recovered', {
      severity: 'info',
      title: 'Function “enrich” recovered',
      text: 'Its runs succeed again after 5 minutes.',
      link: `${LINK}/functions/${ID}/runs`,
      resource: { kind: 'function', id: ID, name: 'enrich' },
    }),
  ],
  [
    'function.rolled_back',
    'A version that served a share of the calls failed more often than the live version, and serves none any more.',
    none,
    sample('function.rolled_back', 'happened', {
      severity: 'error',
      title: 'Version 4 of function “enrich” was rolled back',
      text: '6 of 25 calls of version 4 failed, and 1 of 240 of version 3. Version 3 serves all calls.',
      link: `${LINK}/functions/${ID}/versions`,
      resource: { kind: 'function', id: ID, name: 'enrich' },
      last_error: '6 of 25 calls of version 4 failed, and 1 of 240 of version 3.',
      details: { version: 4, live_version: 3 },
    }),
  ],
  [
    'api_key.expiring',
    'An API key expires soon. Reported again with the state recovered when it is extended or deleted.',
    expiry,
    sample('api_key.expiring', 'opened', {
      severity: 'warning',
      title: 'API key “deploy” expires on 2026-01-19',
      text: 'Requests with it are rejected from 2026-01-19 09:00 UTC. Extend it, or replace it in the programs that use it.',
      link: `${LINK}/settings/keys`,
      resource: { kind: 'api_key', id: ID, name: 'deploy' },
      details: { expires_at: '2026-01-19T09:00:00.000000Z', prefix: 'slc_1a2b' },
    }),
  ],
  [
    'storage.low',
    'The file system with the data folder of a node is almost full. Reported again with the state recovered.',
    storage,
    sample('storage.low', 'opened', {
      severity: 'critical',
      title: 'Storage of node “sluice-1” is low',
      text: '4.1 GB of 100 GB (4 %) are free. Free some space, or shorten the retention.',
      link: `${LINK}/`,
      resource: { kind: 'node', id: 'sluice-1', name: 'sluice-1' },
      details: { free_bytes: 4_100_000_000, total_bytes: 100_000_000_000, free_percent: 4 },
    }),
  ],
  [
    'problem.opened',
    'A new cause of failures: of deliveries, runs, calls through the gateway, tokens, sources or schedules.',
    none,
    problem('problem.opened', 'opened', 'error', '3 failures with this cause so far.', { regressions: 0, version: 3 }),
  ],
  [
    'problem.regressed',
    'A resolved problem fails again.',
    none,
    problem('problem.regressed', 'opened', 'error', 'It was resolved, and fails again. 3 failures in all.', {
      regressions: 1,
      version: 4,
    }),
  ],
  [
    'problem.resolved',
    'A problem was resolved: by a person, by successes since, by a replay, or because what failed was deleted.',
    none,
    problem('problem.resolved', 'recovered', 'info', 'What failed succeeds again. 3 failures in all.', {
      resolved_as: 'SUCCESSES',
    }),
  ],
  [
    'code.matched',
    'The version of a function that serves begins to match a saved search: it calls a host, reads a variable, imports a package or contains a text. A new function counts.',
    watched,
    sample('code.matched', 'happened', {
      severity: 'info',
      title: 'Function “enrich” begins to match “Calls to billing”',
      text: 'Version 4 has 2 hits; version 3 had none. First: index.ts:12 await fetch("https://api.billing.example/v1")',
      link: `${LINK}/functions/${ID}?file=index.ts&line=12&version=4`,
      resource: { kind: 'function', id: ID, name: 'enrich' },
      count: 2,
      details: {
        search_id: OTHER_ID,
        search_name: 'Calls to billing',
        q: 'host:api.billing.example',
        owner: 'SELF',
        function_id: ID,
        function_name: 'enrich',
        account_name: 'Acme',
        visibility: 'PRIVATE',
        version: 4,
        is_coalesced: false,
        version_before: 3,
        hits: [{ path: 'index.ts', line: 12, text: 'await fetch("https://api.billing.example/v1")' }],
      },
    }),
  ],
  ['sluice.*', 'Every event of the service, except code.matched, which needs a saved search.', everything, FAILING],
];

export const sluiceEvents: EventTypeDefinition[] = TYPES.map(([event_type, description, schema, payload]) => ({
  event_type,
  description,
  parameters: schema,
  sample: payload,
}));
