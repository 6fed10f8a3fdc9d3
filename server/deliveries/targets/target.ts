/**
 * A kind of destination: an HTTP endpoint, a function of this service, an email or a connected app. Each kind is one
 * file beside this one and one line in targets.ts, and defines how a destination is checked, named, prepared, sent to
 * and diagnosed.
 *
 * The URL of a destination determines its kind, so a row and an API request need no further field. `url` and `method`
 * are read here, in the contract and in the stores; every other layer passes the destination along.
 */
import type { Reply } from '../../../contract/operations.ts';
import type { RunCause } from '../../functions/runs/run-record.ts';
import type { Addresses } from '../../lib/addresses.ts';
import type { Ctx, Services } from '../../platform/context.ts';
import type { Target } from '../store/destinations/destinations.ts';
import type { ShownRequest } from '../store/queue/attempts.ts';
import type { Lease } from '../store/queue/lease.ts';
import type { Changes } from '../transforms/answer.ts';
import type { SendResult } from './result.ts';

/** The message: an event, or a test of a destination. */
export type Message = Pick<
  Lease,
  | 'account_id'
  | 'trigger_id'
  | 'event_id'
  | 'webhook_id'
  | 'received_at'
  | 'payload'
  | 'traceparent'
  | 'tracestate'
  | 'request'
  | 'original'
> & {
  /** What the destination's transformation changed in the request. */
  changes?: Changes;
  /** Its request is the input of a transformation and is not sent: it is not signed, and has no body that is the event. */
  isInput?: true;
};

/**
 * One request, ready to be sent, and its time limit. `shown`: as attempts store it, with masked headers. `body`: as
 * sent, if `shown` differs.
 */
export type Outgoing = { shown: ShownRequest; timeoutMs: number; body?: string | Buffer | null };

/** The services that `prepare` uses. */
export type PrepareParts = Pick<Services, 'vault' | 'settings'>;

/** The time limit of an attempt. */
export const timeoutOf = (
  { attemptTimeoutMs }: PrepareParts['settings'],
  { timeout_seconds }: Pick<Target, 'timeout_seconds'>,
): number => (timeout_seconds === null ? attemptTimeoutMs : timeout_seconds * 1000);

export interface TargetKind<R extends Outgoing = Outgoing> {
  /** Whether the headers of a destination are sent. */
  takesHeaders: boolean;
  /** Whether URLs like this one belong to the kind. */
  matches(url: URL, addresses: Addresses): boolean;
  /** Why deliveries may not go to the URL; null where they may. Called before a destination is stored. */
  check(ctx: Ctx, url: URL): Promise<string | null>;
  /** Throws 403 if the caller's API key may not choose what is sent to a destination of this kind. */
  assertMayUse?(ctx: Ctx): void;
  /** The default name of a destination. */
  nameOf(url: URL, addresses: Addresses): string;
  /** The same with data of the database, if there is any. */
  findName?(ctx: Ctx, url: URL): Promise<string | undefined>;
  /**
   * Prepares what all requests of a destination share, once per row, and returns the function that builds the request
   * of one message. That function throws Unrenderable if the result of a template cannot be sent.
   */
  prepare(parts: PrepareParts, target: Target): (message: Message) => R;
  /** Whether a function may transform its requests: the function of `prepare` then applies the message's `changes`. */
  takesTransform?: true;
  /** Whether messages to the destination need the request of their event; if missing, its body and headers decide. */
  readsRequest?(target: Target, headers: Record<string, string>): boolean;
  /** Opens what sending needs, such as a pool of connections. */
  open(services: Services): Sender<R>;
  /** The steps of the diagnosis, up to the first that fails. */
  examine(ctx: Ctx, target: Target): Promise<Reply<'destinationDoctor'>['steps']>;
}

export interface Sender<R extends Outgoing = Outgoing> {
  /**
   * Sends one request, within its time limit. Errors of the destination are part of the result; rejects
   * only for errors of the service. `cause` is recorded with a run of a function; null for a test.
   */
  send(request: R, account_id: string, cause: RunCause | null): Promise<SendResult>;
  close(): void;
}
