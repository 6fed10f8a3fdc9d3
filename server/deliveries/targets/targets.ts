/** The kinds of destination, and the functions that the other layers call for any kind. */
import { functionRefusal } from '../../../contract/keys/key-limits.ts';
import type { Reply } from '../../../contract/operations.ts';
import { TemplateError } from '../../../contract/text/body-template.ts';
import { isMailUrl } from '../../../contract/text/mail-url.ts';
import { hasPlaceholders, parseUrlTemplate, plainUrl } from '../../../contract/text/url-template.ts';
import type { RunCause } from '../../functions/runs/run-record.ts';
import type { Addresses } from '../../lib/addresses.ts';
import { badRequest, forbidden } from '../../lib/failure.ts';
import type { Ctx, Services } from '../../platform/context.ts';
import type { DestinationsTable } from '../../platform/database/schema.ts';
import { openHeaders } from '../destinations/destination-secrets.ts';
import type { Target } from '../store/destinations/destinations.ts';
import { requestBodyOf, requestsOf } from '../store/events/events.ts';
import type { ShownRequest } from '../store/queue/attempts.ts';
import { type Transformed, type Transformer, type TransformRun, transform } from '../transforms/transform.ts';
import { connection } from './connection.ts';
import { email } from './email.ts';
import { hostedFunction } from './function.ts';
import { http } from './http.ts';
import { contentTypeOf, isJsonType, readsRequest, Unrenderable } from './message-body.ts';
import type { Trouble } from './result.ts';
import type { Message, Outgoing, PrepareParts, Sender, TargetKind } from './target.ts';

/** The first that matches a URL is its kind, so list a narrower kind before a wider one. */
export const KINDS: readonly TargetKind[] = [email, connection, hostedFunction, http];

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
  /[\u0000-\u0020\u007f]/.test(plainUrl(url)) ? 'expected a URL without spaces' : null;

type Given = Changes & {
  headers?: Record<string, string> | undefined;
  forward_headers?: string[] | undefined;
  body_template?: string | null | undefined;
  body_source?: 'EVENT' | 'ORIGINAL' | undefined;
  body_format?: 'JSON' | 'FORM' | 'TEXT' | undefined;
  transform?: { function_id: string } | null | undefined;
};

/** Fields that determine what is sent. */
const CHOICES = ['url', 'method', 'headers', 'forward_headers', 'body_template', 'body_source', 'body_format'] as const;

/** Throws 403 if the caller's API key may not choose what is sent to a stored destination. */
export const assertMayUse = (ctx: Ctx, { url }: Pick<Columns, 'url'>): void =>
  kindOf(new URL(plainUrl(url)), ctx.settings.addresses).assertMayUse?.(ctx);

/**
 * Throws 400 with the field for a URL that deliveries must not be sent to, and for settings that its kind does not have.
 * `at` is the path of the given body, `stored` the destination that it changes.
 */
export async function check(ctx: Ctx, given: Given, { at = '', stored }: { at?: string; stored?: Columns } = {}) {
  if (given.url !== undefined) await checkUrl(ctx, given.url, at);
  const url = new URL(given.url ?? stored?.url ?? '');
  const kind = kindOf(url, ctx.settings.addresses);
  if (CHOICES.some((name) => given[name] !== undefined)) kind.assertMayUse?.(ctx);
  const refusal = given.transform && ctx.limits && functionRefusal(ctx.limits, given.transform.function_id);
  if (refusal) throw forbidden(refusal);
  if (given.transform && !kind.takesTransform)
    throw badRequest(`${at}transform: expected none, because emails are not transformed`);
  if (kind.takesHeaders) return;
  const why = 'because the headers of an email are set by the service';
  if (Object.keys(given.headers ?? {}).length > 0) throw badRequest(`${at}headers: expected none, ${why}`);
  if ((given.forward_headers ?? []).length > 0) throw badRequest(`${at}forward_headers: expected none, ${why}`);
  if (given.body_source === 'ORIGINAL')
    throw badRequest(`${at}body_source: expected EVENT, because an email is rendered as text`);
  if (given.body_format === 'FORM')
    throw badRequest(`${at}body_format: expected TEXT, because an email is rendered as text`);
}

/** Whether a destination with these headers renders its body template as JSON. */
export const rendersJson = (
  { settings: { addresses } }: Ctx,
  { url }: Pick<Columns, 'url'>,
  headers: Record<string, string>,
): boolean => kindOf(new URL(url), addresses).takesHeaders && isJsonType(contentTypeOf(headers));

async function checkUrl(ctx: Ctx, url: string, at: string): Promise<void> {
  const blanks = blanksIn(url);
  if (blanks !== null) throw badRequest(`${at}url: ${blanks}`);
  checkUrlTemplate(url, at);
  const parsed = new URL(plainUrl(url));
  const problem = await kindOf(parsed, ctx.settings.addresses).check(ctx, parsed);
  if (problem !== null) throw badRequest(`${at}url: ${problem}`);
}

function checkUrlTemplate(url: string, at: string): void {
  if (isMailUrl(url) || !hasPlaceholders(url)) return;
  try {
    parseUrlTemplate(url);
  } catch (error) {
    throw error instanceof TemplateError ? badRequest(`${at}url: ${error.message}`) : error;
  }
}

export const columnsOf = ({ url, method }: Columns): Columns => ({ url, method });

/** The columns that a change names. */
export const changesOf = ({ url, method }: Changes): Partial<Columns> => ({
  ...(url === undefined ? {} : { url }),
  ...(method === undefined ? {} : { method }),
});

/** The default name of a destination. */
export async function nameOf(ctx: Ctx, { url }: Columns): Promise<string> {
  const { addresses } = ctx.settings;
  const parsed = new URL(url);
  const kind = kindOf(parsed, addresses);
  return ((await kind.findName?.(ctx, parsed)) ?? kind.nameOf(parsed, addresses)).slice(0, 100);
}

/** The fields of a destination's summary in the API. */
export const summarize = ({ url }: Columns) => ({ url });

/** The additional fields of a single destination. */
export const describe = ({ method }: Columns) => ({ method: method as Method });

/** `readsRequest`: a message must contain the request of its event. */
export type Prepared = { kind: TargetKind; readsRequest: boolean; build: (message: Message) => Outgoing };

/** One entry per target object, as read from its row. */
const preparedTargets = new WeakMap<Target, Prepared>();

/** The request builder of a target. Throws what the kind's `prepare` and the builder throw. */
export function prepare(parts: PrepareParts, target: Target): Prepared {
  const known = preparedTargets.get(target);
  if (known) return known;
  const kind = kindOf(new URL(target.url), parts.settings.addresses);
  if (target.version && kind !== hostedFunction)
    throw new Unrenderable('The replay calls a version of a function, and the destination is no longer a function.');
  const prepared = {
    kind,
    readsRequest: (kind.readsRequest ?? readsRequest)(target, openHeaders(parts.vault, target)),
    build: kind.prepare(parts, target),
  };
  preparedTargets.set(target, prepared);
  return prepared;
}

/** How a request is transformed: by which function (null: none), and for which delivery (null: a test). */
export type Transforming = { transformer: Transformer | null; cause: RunCause | null };

/** A request: `outgoing` is null if its transformation skipped the event or failed. */
export type Made = {
  kind: TargetKind;
  outgoing: Outgoing | null;
  transformed: { run: TransformRun; transformed: Transformed } | null;
};

/** The request of one message to a target, transformed. */
export async function requestFor(
  services: Services,
  target: Target,
  message: Message,
  { transformer, cause }: Transforming,
): Promise<Made> {
  const { kind, build } = prepare(services, target);
  const full = await fullMessage(services, target, message);
  if (!transformer || !kind.takesTransform) return { kind, outgoing: build(full), transformed: null };
  const made = await transform(services, transformer, target, full, build({ ...full, isInput: true }), cause);
  const { transformed } = made;
  const changed = transformed.outcome === 'SENT' ? build({ ...full, changes: transformed.changes }) : null;
  return { kind, outgoing: changed, transformed: made };
}

/** Why a transformed request is not sent; null if it is. */
export function unsentBecause(made: Made['transformed']): Trouble | null {
  const transformed = made?.transformed;
  if (transformed?.outcome === 'SKIPPED')
    return { reason: 'TRANSFORM_SKIPPED', message: 'The transformation returned null.' };
  return transformed?.outcome === 'FAILED' ? { reason: 'TRANSFORM_ERROR', message: transformed.message } : null;
}

/** The message with the request of its event, if the target's requests need it. */
export async function fullMessage(
  services: PrepareParts & Pick<Services, 'db'>,
  target: Target,
  message: Message,
): Promise<Message> {
  if (!prepare(services, target).readsRequest) return message;
  const { account_id, event_id } = message;
  const { db } = services;
  let { request, original } = message;
  if (request === undefined) request = (await requestsOf(db, account_id, [event_id])).get(event_id) ?? null;
  if (request && target.body_source === 'ORIGINAL' && original === undefined)
    original = await requestBodyOf(db, account_id, event_id);
  return { ...message, request, original: original ?? null };
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
