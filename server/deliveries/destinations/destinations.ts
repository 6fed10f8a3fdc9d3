import { DESTINATIONS_PER_TRIGGER, DISABLE_AFTER_DAYS, SECRET_OVERLAP_HOURS } from '../../../contract/limits.ts';
import type { Input, Reply } from '../../../contract/operations.ts';
import { DESTINATION_WARNINGS } from '../../../contract/states.ts';
import { jsonProblem, parseTemplate, TemplateError } from '../../../contract/text/body-template.ts';
import { parseExactly } from '../../../contract/text/exact-json.ts';
import { formProblem, hasPlaceholders } from '../../../contract/text/url-template.ts';
import { write } from '../../accounts/write.ts';
import { now } from '../../lib/clock.ts';
import { badRequest, notFound } from '../../lib/failure.ts';
import { newId } from '../../lib/ids.ts';
import { mask } from '../../lib/masking.ts';
import { newSigningSecret, SECRET_PREFIX } from '../../lib/signing.ts';
import type { Ctx } from '../../platform/context.ts';
import type { DestinationsTable, Tx } from '../../platform/database/schema.ts';
import * as store from '../store/destinations/destinations.ts';
import * as deliveryStore from '../store/queue/deliveries.ts';
import * as orderedStore from '../store/queue/ordered-deliveries.ts';
import * as triggerKeys from '../store/queue/trigger-keys.ts';
import { forwardedNames } from '../targets/message-body.ts';
import * as targets from '../targets/targets.ts';
import { transformerOf } from '../transforms/transform.ts';
import { checkTransform, transformChanges } from '../transforms/transform-settings.ts';
import * as queues from './destination-queues.ts';
import {
  maskHeaders,
  movedToPrevious,
  openHeaders,
  openSecret,
  sealHeaders,
  sealSecret,
  unmaskHeaders,
} from './destination-secrets.ts';
import { describePace, limitChanges, NO_PACE } from './pace.ts';

/** Destinations of a trigger, in order of creation. */
export async function list(ctx: Ctx, { params }: Input<'destinationList'>): Promise<Reply<'destinationList'>> {
  const { trigger_id } = params;
  if (!(await triggerKeys.exists(ctx.db, ctx.account_id, trigger_id))) throw notFound('Trigger');
  const rows = await store.listOf(ctx.db, ctx.account_id, [trigger_id]);
  return { destinations: rows.map(summarize) };
}

/** One destination; its secrets are masked. */
export async function get(ctx: Ctx, { params }: Input<'destinationGet'>): Promise<Reply<'destinationGet'>> {
  const row = await store.find(ctx.db, ctx.account_id, params.trigger_id, params.destination_id);
  if (!row) throw notFound('Destination');
  return { destination: await describeNow(ctx, row) };
}

/** Adds a destination. Only this response contains the signing secret in clear text. */
export async function create(
  ctx: Ctx,
  { params, body }: Input<'destinationCreate'>,
): Promise<Reply<'destinationCreate'>> {
  const { trigger_id } = params;
  if (!(await triggerKeys.exists(ctx.db, ctx.account_id, trigger_id))) throw notFound('Trigger');
  const row = await prepare(ctx, trigger_id, body);
  await write(ctx, async (tx, about) => {
    about(row.destination_id, { noun: 'trigger', trigger_id });
    if (!(await triggerKeys.lock(tx, ctx.account_id, trigger_id))) throw notFound('Trigger');
    const others = await store.listOf(tx, ctx.account_id, [trigger_id]);
    if (others.length >= DESTINATIONS_PER_TRIGGER)
      throw badRequest(`destinations: expected at most ${DESTINATIONS_PER_TRIGGER} for a trigger`);
    await store.insert(tx, ctx.account_id, row);
  });
  return { destination: { ...describe(ctx, row), signing_secret: openSecret(ctx.vault, row) } };
}

/**
 * Changes the given fields. ENABLED clears the reason; DISABLED marks waiting deliveries as SKIPPED. Paused, its
 * deliveries wait, and only attempts in flight end. Deliveries in flight use the change from their next attempt.
 */
export async function update(
  ctx: Ctx,
  { params, body }: Input<'destinationUpdate'>,
): Promise<Reply<'destinationUpdate'>> {
  const { trigger_id, destination_id } = params;
  const before = await store.find(ctx.db, ctx.account_id, trigger_id, destination_id);
  if (!before) throw notFound('Destination');
  const transform = body.transform === undefined ? transformerOf(before) : body.transform;
  await targets.check(ctx, { ...body, transform }, { stored: before });
  if (body.transform !== undefined) targets.assertMayUse(ctx, { url: body.url ?? before.url });
  checkBody({ ...before, ...body }, '');
  await checkTransform(ctx, body, '');
  const stored = openHeaders(ctx.vault, before);
  const given = body.headers && unmaskHeaders(body.headers, stored);
  if (given) checkHeaders(given, '');
  if (body.body_template !== undefined || given || body.url !== undefined || body.body_format !== undefined)
    checkTemplate(ctx, {
      body_format: body.body_format ?? before.body_format,
      url: body.url ?? before.url,
      body_template: body.body_template === undefined ? before.body_template : body.body_template,
      headers: given ?? stored,
    });
  const headers = given && sealHeaders(ctx.vault, before, given);
  const updated_at = now();
  await write(ctx, async (tx, about) => {
    about(destination_id, { noun: 'destination', trigger_id, destination_id, pace: changesPace(body) });
    if (body.ordering === null) await orderedStore.clear(tx, ctx.account_id, [destination_id]);
    await store.update(tx, ctx.account_id, destination_id, {
      ...targets.changesOf(body),
      ...(body.name === undefined ? {} : { name: body.name }),
      ...(headers === undefined ? {} : { headers }),
      ...(body.body_template === undefined ? {} : { body_template: body.body_template }),
      ...forwardingOf(body),
      ...(body.filter === undefined ? {} : { filter: jsonOrNull(body.filter) }),
      ...(body.retry_schedule === undefined ? {} : { retry_schedule: jsonOrNull(body.retry_schedule) }),
      ...limitChanges(body),
      ...transformChanges(body),
      ...(body.status === undefined ? {} : await changeStatus(tx, before, body.status, updated_at)),
      ...(body.paused === undefined ? {} : changePaused(before, body.paused, updated_at)),
      circuit_open_until: null,
      updated_at,
    });
  });
  return get(ctx, { params, query: {}, body: undefined });
}

/**
 * Creates a new signing secret, in clear text in this response only. The previous secret also signs for
 * `overlap_hours`, so that receivers can be changed one by one. An earlier overlap ends immediately.
 */
export async function rotateSecret(
  ctx: Ctx,
  { params, body }: Input<'destinationSecretRotate'>,
): Promise<Reply<'destinationSecretRotate'>> {
  const { trigger_id, destination_id } = params;
  const secret = newSigningSecret();
  const overlapMs = (body?.overlap_hours ?? SECRET_OVERLAP_HOURS.default) * 3_600_000;
  const row = await write(ctx, async (tx, about) => {
    about(destination_id, { noun: 'trigger', trigger_id });
    const before = await store.lock(tx, ctx.account_id, trigger_id, destination_id);
    if (!before) throw notFound('Destination');
    const changes = {
      signing_secret: sealSecret(ctx.vault, before, secret),
      previous_secret: overlapMs > 0 ? movedToPrevious(ctx.vault, before) : null,
      previous_secret_until: overlapMs > 0 ? later(overlapMs) : null,
      updated_at: now(),
    };
    await store.update(tx, ctx.account_id, destination_id, changes);
    return { ...before, ...changes };
  });
  return { destination: { ...(await describeNow(ctx, row)), signing_secret: secret } };
}

/** Deletes a destination. Its waiting deliveries are canceled; records of attempts stay. */
export async function remove(ctx: Ctx, { params }: Input<'destinationDelete'>): Promise<Reply<'destinationDelete'>> {
  const { trigger_id, destination_id } = params;
  await write(ctx, async (tx, about) => {
    about(destination_id, { noun: 'trigger', trigger_id });
    if (!(await store.remove(tx, ctx.account_id, trigger_id, destination_id))) throw notFound('Destination');
    await deliveryStore.setAside(tx, ctx.account_id, [destination_id], {
      status: 'CANCELED',
      reason: 'CANCELED',
      at: now(),
    });
  });
  return {};
}

/** A destination ready to be stored, with its URL and template checked. `at` is the path of the body in the request. */
export async function prepare(
  ctx: Ctx,
  trigger_id: string,
  body: Input<'destinationCreate'>['body'],
  at = '',
): Promise<DestinationsTable> {
  await targets.check(ctx, body, { at });
  checkTemplate(ctx, body, at);
  checkHeaders(body.headers ?? {}, at);
  checkBody(body, at);
  await checkTransform(ctx, body, at);
  const created_at = now();
  const owner = { account_id: ctx.account_id, destination_id: newId() };
  return {
    ...owner,
    trigger_id,
    ...targets.columnsOf(body),
    name: body.name ?? (await targets.nameOf(ctx, body)),
    headers: sealHeaders(ctx.vault, owner, unmaskHeaders(body.headers ?? {}, {})),
    signing_secret: sealSecret(ctx.vault, owner, newSigningSecret()),
    body_template: body.body_template ?? null,
    body_source: 'EVENT',
    body_format: 'JSON',
    forward_headers: null,
    ...forwardingOf(body),
    status: 'ENABLED',
    reason: null,
    filter: jsonOrNull(body.filter),
    retry_schedule: jsonOrNull(body.retry_schedule),
    ...NO_PACE,
    ...limitChanges(body),
    transform_function_id: null,
    transform_version: null,
    ...transformChanges(body),
    previous_secret: null,
    previous_secret_until: null,
    failing_since: null,
    exhausted_at: null,
    failures: 0,
    last_exhausted_at: null,
    circuit_open_until: null,
    disabled_at: null,
    warned: 0,
    created_at,
    updated_at: created_at,
  };
}

export function summarize(row: DestinationsTable) {
  const { destination_id, name, status, reason } = row;
  return { destination_id, ...targets.summarize(row), name, status, reason };
}

async function changeStatus(tx: Tx, before: DestinationsTable, status: 'ENABLED' | 'DISABLED', at: string) {
  if (status === before.status) return {};
  if (status === 'ENABLED')
    return { status, reason: null, disabled_at: null, failing_since: null, exhausted_at: null, failures: 0, warned: 0 };
  await deliveryStore.setAside(tx, before.account_id, [before.destination_id], {
    status: 'SKIPPED',
    reason: 'DESTINATION_DISABLED',
    at,
  });
  return { status, reason: 'MANUAL' as const, disabled_at: at };
}

/** Attempts before a pause do not count towards disabling it after the pause. */
function changePaused(before: DestinationsTable, paused: boolean, at: string) {
  if (paused === (before.paused_at !== null)) return {};
  return { paused_at: paused ? at : null, failing_since: null, exhausted_at: null, failures: 0, warned: 0 };
}

const changesPace = ({ paused, rate_limit, max_in_flight, ordering }: Input<'destinationUpdate'>['body']) =>
  paused !== undefined || rate_limit !== undefined || max_in_flight !== undefined || ordering !== undefined;

const describeNow = async (ctx: Ctx, row: DestinationsTable) =>
  describe(ctx, row, await queues.ofDestination(ctx, row));

function describe(
  ctx: Ctx,
  row: DestinationsTable,
  { queue, missed } = { queue: queues.EMPTY_QUEUE, missed: 0 },
): Reply<'destinationGet'>['destination'] {
  return {
    ...summarize(row),
    ...targets.describe(row),
    headers: maskHeaders(openHeaders(ctx.vault, row)),
    signing_secret: mask(openSecret(ctx.vault, row), SECRET_PREFIX),
    body_template: row.body_template,
    body_source: row.body_source,
    body_format: row.body_format,
    forward_headers: forwardedNames(row),
    filter: row.filter === null ? null : (parseExactly(row.filter) as Record<string, unknown>),
    retry_schedule: row.retry_schedule === null ? null : JSON.parse(row.retry_schedule),
    transform: transformerOf(row),
    ...describePace(row),
    previous_secret_until: isAhead(row.previous_secret_until) ? row.previous_secret_until : null,
    failing_since: row.failing_since,
    disable_at:
      row.failing_since === null ? null : later(DISABLE_AFTER_DAYS * 86_400_000, Date.parse(row.failing_since)),
    warning: warningOf(row.warned),
    queue,
    disabled_at: row.disabled_at,
    missed,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

const jsonOrNull = (value: unknown) => (value == null ? null : JSON.stringify(value));
const isAhead = (at: string | null) => at !== null && at > now();
const later = (ms: number, fromMs = Date.now()) => new Date(fromMs + ms).toISOString().replace('Z', '000Z');
/** Progress of a failing destination towards being disabled, in per cent. */
export const warningOf = (warned: number) => DESTINATION_WARNINGS.findLast((each) => each <= warned) ?? 0;

type Forwarding = Pick<Input<'destinationUpdate'>['body'], 'body_source' | 'body_format' | 'forward_headers'>;

/** The columns of the settings for the body, and of the source's headers that are sent on. */
function forwardingOf({ body_source, body_format, forward_headers }: Forwarding) {
  const names = forward_headers?.map((name) => name.toLowerCase());
  return {
    ...(body_source === undefined ? {} : { body_source }),
    ...(body_format === undefined ? {} : { body_format }),
    ...(names === undefined ? {} : { forward_headers: names.length > 0 ? JSON.stringify(names) : null }),
  };
}

type BodySettings = {
  body_source?: string | undefined;
  body_format?: string | undefined;
  body_template?: string | null | undefined;
};

function checkBody({ body_source, body_format = 'JSON', body_template }: BodySettings, at: string): void {
  if (body_source === 'ORIGINAL' && body_template != null)
    throw badRequest(`${at}body_template: expected none, as body_source is ORIGINAL`);
  if (body_source === 'ORIGINAL' && body_format !== 'JSON')
    throw badRequest(`${at}body_format: expected JSON, as body_source is ORIGINAL`);
  if (body_format === 'TEXT' && body_template == null)
    throw badRequest(`${at}body_format: expected a body_template for TEXT`);
}

/** Refuses a template that the destination could not be saved with. */
export function checkOtherTemplate(ctx: Ctx, row: DestinationsTable, body_template: string): void {
  targets.assertMayUse(ctx, row);
  checkBody({ ...row, body_template }, '');
  checkTemplate(ctx, { url: row.url, headers: openHeaders(ctx.vault, row), body_template });
}

type TemplateSettings = {
  url: string;
  body_format?: 'JSON' | 'FORM' | 'TEXT' | undefined;
  body_template?: string | null | undefined;
  headers?: Record<string, string> | undefined;
};

/** Refuses placeholders that do not parse. */
function checkHeaders(headers: Record<string, string>, at: string): void {
  for (const [name, value] of Object.entries(headers)) {
    if (!hasPlaceholders(value)) continue;
    try {
      parseTemplate(value);
    } catch (error) {
      throw error instanceof TemplateError ? badRequest(`${at}headers.${name}: ${error.message}`) : error;
    }
  }
}

/** Refuses a template that does not parse, or whose result is never what its content type requires. */
function checkTemplate(ctx: Ctx, given: TemplateSettings, at = ''): void {
  if (given.body_template == null) return;
  let problem: string | null;
  try {
    const parsed = parseTemplate(given.body_template);
    if (given.body_format === 'FORM') problem = jsonProblem(parsed) ?? formProblem(parsed);
    else if (given.body_format === 'TEXT') problem = null;
    else problem = targets.rendersJson(ctx, given, given.headers ?? {}) ? jsonProblem(parsed) : null;
  } catch (error) {
    throw error instanceof TemplateError ? badRequest(`${at}body_template: ${error.message}`) : error;
  }
  if (problem === null) return;
  if (given.body_format === 'FORM')
    throw badRequest(`${at}body_template: expected a template for a JSON object, as body_format is FORM: ${problem}`);
  throw badRequest(
    `${at}body_template: expected a template for JSON, as the Content-Type header is not set otherwise: ${problem}`,
  );
}
