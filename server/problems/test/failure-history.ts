/** A generated history of failures with known causes, with the noise of real messages; for tests and benchmarks. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { Evidence } from '../cause/failures.ts';

export type Made = { cause: number; evidence: Evidence };

let state = 1;
/** A number below n, the same in each run. */
function pick(n: number): number {
  state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
  return state % n;
}
const oneOf = <T>(values: readonly T[]): T => values[pick(values.length)] as T;
const id = () => String(100_000 + pick(900_000));
const when = () => new Date(1_767_000_000_000 + pick(1_000_000_000)).toISOString();
const email = () => `user${pick(10_000)}@${oneOf(['example.com', 'mail.example.org', 'firma.de'])}`;
const token = () => randomBytes(12).toString('hex');

/** Messages of receivers with their variable parts. */
const MESSAGES: (() => string)[] = [
  () => `Order ${id()} not found`,
  () => `Customer ${email()} is blocked since ${when()}`,
  () => `Currency "${oneOf(['USD', 'EUR', 'CHF', 'JPY'])}" is not supported`,
  () => `Invalid date: '${when()}'`,
  () => `Duplicate invoice ${randomUUID()}`,
  () => `Request ${token()} exceeds the limit of ${id()} bytes`,
  () => `Missing required member: customer at line ${pick(90)}`,
  () => `Tax rate ${pick(30)}.${pick(9)} is out of range`,
  () => `Stock of SKU ${id()}, ${id()}${pick(2) ? `, ${id()}` : ''} is too low`,
  () => `Shipment to ${oneOf(['10.0.0.1', '192.168.4.20'])}:${pick(9000)} refused`,
];
/** Ways to send a message. */
const BODIES: ((message: string) => string)[] = [
  (message) => JSON.stringify({ message, request_id: randomUUID(), at: when() }),
  (message) => JSON.stringify({ error: { message, trace: token() } }),
];
const LOCALIZED = [
  'Payment declined',
  'Zahlung abgelehnt',
  'Paiement refusé',
  '支払いが拒否されました',
  'Pago rechazado',
];

const target = (n: number) => ({ id: `destination-${n}`, name: `Receiver ${n}` });
const delivery = (n: number, more: Partial<Evidence & { kind: 'DELIVERY' }>): Evidence => ({
  kind: 'DELIVERY',
  destination: target(n),
  url: `https://receiver-${n}.example.com/hooks`,
  reason: 'HTTP_STATUS',
  status: 500,
  body: null,
  message: null,
  ...more,
});

/** 40 causes: each gives its next failure. */
const CAUSES: (() => Evidence)[] = [
  // 10 messages of one receiver, 10 of others
  ...MESSAGES.map((message) => () => delivery(0, { status: 422, body: (BODIES[0] as (typeof BODIES)[0])(message()) })),
  ...MESSAGES.map((message, n) => () => delivery(n + 1, { status: oneOf([400]), body: oneOf(BODIES)(message()) })),
  () =>
    delivery(20, {
      status: 402,
      body: JSON.stringify({ error: { code: 'card_declined', message: oneOf(LOCALIZED) } }),
    }),
  () =>
    delivery(21, {
      status: 500,
      body: randomBytes(200)
        .toString('latin1')
        .replaceAll(/[a-z ]/gi, '\u0001'),
    }),
  () => delivery(22, { status: 500, body: `<html><title>Error</title><p>Reference ${token()}</p></html>` }),
  () => delivery(23, { status: oneOf([502, 503, 504]), body: `upstream ${token()}` }),
  () => delivery(24, { status: null, reason: 'TIMEOUT' }),
  () => delivery(25, { status: null, reason: 'DNS_ERROR', message: `getaddrinfo ENOTFOUND ${pick(9)}` }),
  () => delivery(26, { status: null, reason: 'CONNECTION_REFUSED' }),
  () => delivery(27, { status: null, reason: 'TLS_ERROR', message: `certificate has expired on ${when()}` }),
  ...['parse', 'render', 'total', 'send'].map((name, n) => () => thrown(n, name)),
  ...[1, 2].map(
    (n) => (): Evidence => ({
      kind: 'CALL',
      connection: { id: `connection-${n}`, name: `Connection ${n}` },
      app: 'slack',
      method: oneOf(['GET', 'POST']),
      path: `/conversations/${id()}`,
      status: 401,
      error: null,
    }),
  ),
  (): Evidence => ({
    kind: 'CALL',
    connection: { id: `connection-${pick(50)}`, name: 'Any' },
    app: 'github',
    method: 'GET',
    path: `/repos/${id()}`,
    status: oneOf([502, 503]),
    error: null,
  }),
  (): Evidence => ({
    kind: 'CALL',
    connection: { id: `connection-${pick(50)}`, name: 'Any' },
    app: 'hubspot',
    method: 'POST',
    path: `/contacts/${id()}/notes?at=${when()}`,
    status: 422,
    error: null,
  }),
  ...['SIGNATURE_WRONG', 'NOT_JSON'].map(
    (cause) => (): Evidence => ({
      kind: 'REJECTION',
      trigger: { id: 'trigger-1', name: 'Orders' },
      cause,
      message: `rejected at ${when()}`,
    }),
  ),
  (): Evidence => ({ kind: 'SCHEDULE', trigger: { id: 'trigger-2', name: 'Nightly' } }),
  (): Evidence => ({ kind: 'POLL', trigger: { id: 'trigger-3', name: 'Feed' } }),
];

function thrown(n: number, name: string): Evidence {
  const message = (MESSAGES[n] as (typeof MESSAGES)[0])();
  const version = pick(3);
  return {
    kind: 'RUN',
    fn: { id: 'function-1', name: 'enrich' },
    isTimeout: false,
    error: {
      name: oneOf(['TypeError']),
      message,
      stack: `TypeError: ${message}\n    at ${name} (src/orders.ts:${10 * n + version}:9)\n    at index.ts:${version + 1}:1`,
    },
  };
}

/** Failures in random order; a cause has from 1 to about 40 shares of them. */
export function madeHistory(count: number): Made[] {
  state = 1;
  return Array.from({ length: count }, (_, n) => {
    const cause = n < CAUSES.length ? n : Math.min(pick(CAUSES.length), pick(CAUSES.length));
    return { cause, evidence: (CAUSES[cause] as () => Evidence)() };
  });
}

/** The share of failures in a group whose most frequent cause is theirs, with the number of groups and of causes. */
export function purityOf(history: Made[], fingerprintOf: (made: Made) => string) {
  const groups = new Map<string, Map<number, number>>();
  for (const made of history) {
    const key = fingerprintOf(made);
    const counts = groups.get(key) ?? new Map<number, number>();
    counts.set(made.cause, (counts.get(made.cause) ?? 0) + 1);
    groups.set(key, counts);
  }
  const pure = [...groups.values()].reduce((sum, counts) => sum + Math.max(...counts.values()), 0);
  const causes = new Set(history.map(({ cause }) => cause)).size;
  return { purity: pure / history.length, groups: groups.size, causes };
}
