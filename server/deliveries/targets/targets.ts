/** The kinds of destination, and the functions that the other layers call for any kind. */
import type { Reply } from '../../../contract/operations.ts';
import type { Addresses } from '../../lib/addresses.ts';
import { badRequest } from '../../lib/failure.ts';
import type { Ctx, Services } from '../../platform/context.ts';
import type { DestinationsTable } from '../../platform/database/schema.ts';
import type { ShownRequest } from '../store/attempts.ts';
import type { Target } from '../store/destinations.ts';
import { email } from './email.ts';
import { hostedFunction } from './function.ts';
import { http } from './http.ts';
import type { Message, Outgoing, PrepareParts, Sender, TargetKind } from './target.ts';

/** The first that matches a URL is its kind, so list a narrower kind before a wider one. */
export const KINDS: readonly TargetKind[] = [email, hostedFunction, http];

type Method = Reply<'destinationGet'>['destination']['method'];
/** The columns of a destination that a kind reads. */
type Columns = Pick<DestinationsTable, 'url' | 'method'>;
/** The same in the body of a request that changes some of them. */
type Changes = { [column in keyof Columns]?: Columns[column] | undefined };

function kindOf(url: URL, addresses: Addresses): TargetKind {
  const kind = KINDS.find((each) => each.matches(url, addresses));
  if (!kind) throw new Error(`no kind of destination has the scheme ${url.protocol}`);
  return kind;
}

/** The error of a URL that contains white space, which a URL parser would remove silently. */
export const blanksIn = (url: string): string | null =>
  /[\u0000-\u0020\u007f]/.test(url) ? 'expected a URL without spaces' : null;

type Given = Changes & { headers?: Record<string, string> | undefined };

/**
 * Throws 400 with the field for a URL that deliveries must not be sent to, and for headers that its kind does not send.
 * `at` is the path of the given body, `stored` the destination that it changes.
 */
export async function check(ctx: Ctx, given: Given, { at = '', stored }: { at?: string; stored?: Columns } = {}) {
  if (given.url !== undefined) await checkUrl(ctx, given.url, at);
  const url = new URL(given.url ?? stored?.url ?? '');
  if (!kindOf(url, ctx.settings.addresses).takesHeaders && Object.keys(given.headers ?? {}).length > 0)
    throw badRequest(`${at}headers: expected none, because the headers of an email are set by the service`);
}

async function checkUrl(ctx: Ctx, url: string, at: string): Promise<void> {
  const blanks = blanksIn(url);
  if (blanks !== null) throw badRequest(`${at}url: ${blanks}`);
  const parsed = new URL(url);
  const problem = await kindOf(parsed, ctx.settings.addresses).check(ctx, parsed);
  if (problem !== null) throw badRequest(`${at}url: ${problem}`);
}

export const columnsOf = ({ url, method }: Columns): Columns => ({ url, method });

/** The columns that a change names. */
export const changesOf = ({ url, method }: Changes): Partial<Columns> => ({
  ...(url === undefined ? {} : { url }),
  ...(method === undefined ? {} : { method }),
});

/** The default name of a destination. */
export function nameOf({ settings: { addresses } }: Ctx, { url }: Columns): string {
  const parsed = new URL(url);
  return kindOf(parsed, addresses).nameOf(parsed, addresses).slice(0, 100);
}

/** The fields of a destination's summary in the API. */
export const summarize = ({ url }: Columns) => ({ url });

/** The additional fields of a single destination. */
export const describe = ({ method }: Columns) => ({ method: method as Method });

export type Prepared = { kind: TargetKind; build: (message: Message) => Outgoing };

/** One entry per target object, as read from its row. */
const preparedTargets = new WeakMap<Target, Prepared>();

/** The request builder of a target. Throws what the kind's `prepare` and the builder throw. */
export function prepare(parts: PrepareParts, target: Target): Prepared {
  const known = preparedTargets.get(target);
  if (known) return known;
  const kind = kindOf(new URL(target.url), parts.settings.addresses);
  const prepared = { kind, build: kind.prepare(parts, target) };
  preparedTargets.set(target, prepared);
  return prepared;
}

/** The request of an attempt for which none could be built. */
export const unbuiltRequest = ({ url, method }: Target): ShownRequest => ({ method, url, headers: {}, body: null });

export const examine = (ctx: Ctx, target: Target) =>
  kindOf(new URL(target.url), ctx.settings.addresses).examine(ctx, target);

/** One sender for each kind. */
export type Senders = { of(kind: TargetKind): Sender; close(): void };

export function openSenders(services: Services): Senders {
  const senders = new Map(KINDS.map((kind) => [kind, kind.open(services)]));
  return {
    of(kind) {
      const sender = senders.get(kind);
      if (!sender) throw new Error('the kind of destination has no sender');
      return sender;
    },
    close() {
      for (const sender of senders.values()) sender.close();
    },
  };
}
