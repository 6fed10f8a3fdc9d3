/**
 * A kind of destination: an HTTP endpoint, or a function of this service. Each kind is one file beside this one and one
 * line in targets.ts, and says how a destination is checked, named, prepared, sent to and examined.
 *
 * The URL of a destination decides its kind, so a row and a request of the API need no further field. `url` and
 * `method` are read here, in the contract and in the stores; every other layer passes the destination along.
 */
import type { Reply } from '../../../contract/operations.ts';
import type { RunCause } from '../../functions/runs/run-record.ts';
import type { Addresses } from '../../lib/addresses.ts';
import type { Ctx, Services } from '../../platform/context.ts';
import type { ShownRequest } from '../store/attempts.ts';
import type { Target } from '../store/destinations.ts';
import type { Lease } from '../store/lease.ts';
import type { SendResult } from './result.ts';

/** What is sent: an event, or a test of a destination. */
export type Message = Pick<Lease, 'account_id' | 'trigger_id' | 'event_id' | 'webhook_id' | 'received_at' | 'payload'>;

/** One request, ready to be sent. `shown` is the request as attempts store it, with masked headers. */
export type Outgoing = { shown: ShownRequest };

/** What preparing a request needs. */
export type PrepareParts = Pick<Services, 'vault' | 'settings'>;

export interface TargetKind<R extends Outgoing = Outgoing> {
  /** Whether URLs like this one belong to the kind. */
  matches(url: URL, addresses: Addresses): boolean;
  /** Why deliveries may not go to the URL; null where they may. Called before a destination is stored. */
  check(ctx: Ctx, url: URL): Promise<string | null>;
  /** The name of a destination that was given none. */
  nameOf(url: URL, addresses: Addresses): string;
  /**
   * Reads what all requests of a destination have in common, once for each row, and returns the function that builds
   * the request of one message. That function throws Unrenderable where the body template gives no body that can be
   * sent.
   */
  prepare(parts: PrepareParts, target: Target): (message: Message) => R;
  /** Opens what sending needs, such as a pool of connections. */
  open(services: Services): Sender<R>;
  /** The steps of the diagnosis; the first that fails is the last. */
  examine(ctx: Ctx, target: Target): Promise<Reply<'destinationDoctor'>['steps']>;
}

export interface Sender<R extends Outgoing = Outgoing> {
  /**
   * Sends one request, within `settings.attemptTimeoutMs`. What goes wrong at the destination is in the result; rejects
   * for faults of the service only. `cause` is recorded with a run of a function; null for a test.
   */
  send(request: R, account_id: string, cause: RunCause | null): Promise<SendResult>;
  close(): void;
}
