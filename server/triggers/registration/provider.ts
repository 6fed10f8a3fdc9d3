/** Registers and removes webhooks at an app, through the trigger's connection. */
import { PROVIDER_REPLY_MAX_BYTES, PROVIDER_TIMEOUT_MS } from '../../../contract/limits.ts';
import {
  eventNames,
  type HookApi,
  type HookRequest,
  type HookValues,
  type Wanted,
} from '../../connections/apps/hook-api.ts';
import { choose } from '../../connections/upstream/choose.ts';
import { callApp } from '../../connections/upstream/upstream-call.ts';
import { Failure } from '../../lib/failure.ts';
import { hashToken } from '../../lib/tokens.ts';
import type { Services } from '../../platform/context.ts';
import type { SourceHooksTable } from '../../platform/database/schema.ts';
import { idAt, readJson, saidIn, textAt, valueAt } from './answer.ts';
import { fillRequest, UnfitValue } from './request.ts';

/** A failed registration or removal. `again`: the same request may succeed later. */
export class HookTrouble extends Error {
  override name = 'HookTrouble';
  readonly again: boolean;
  readonly status: number | null;
  constructor(message: string, { again = false, status = null }: { again?: boolean; status?: number | null } = {}) {
    super(message);
    this.again = again;
    this.status = status;
  }
}

type Row = Pick<SourceHooksTable, 'account_id' | 'app' | 'connection_id' | 'ingress_hash' | 'wanted' | 'remote_id'>;
export type Added = { id: string; secret: string | null };

/** Deadline for all requests of one registration. */
const ERRAND_MS = 20_000;
/** Webhooks with the same URL that are removed at once; more than one is rare. */
const LEFT_OVER_MAX = 5;
const LATER = new Set([408, 425, 429]);
const DUPLICATE = new Set([400, 409, 422]);

export type Task = { services: Services; row: Row; api: HookApi; hidden: readonly string[]; endsAtMs: number };

export const newTask = (services: Services, row: Row, api: HookApi, hidden: readonly string[] = []): Task => ({
  services,
  row,
  api,
  hidden,
  endsAtMs: performance.now() + ERRAND_MS,
});

/**
 * Registers the webhook. An existing one of ours, from an attempt with an unknown result, is removed first: with
 * `unsure` it is looked up before, and also after a rejection that may mean "already exists".
 */
export async function addHook(
  task: Task,
  { url, secret }: { url: string; secret: string | null },
  unsure: boolean,
): Promise<Added> {
  const { api } = task;
  const values = { ...(await valuesOf(task)), url, ...(secret === null ? {} : { secret }) };
  if (unsure) await removeLeftOver(task, values, []);
  let answer: unknown;
  try {
    answer = await ask(task, api.add, values);
  } catch (error) {
    const duplicate = error instanceof HookTrouble && error.status !== null && DUPLICATE.has(error.status);
    if (!duplicate || unsure || (await removeLeftOver(task, values, [])) === 0) throw error;
    answer = await ask(task, api.add, values);
  }
  const id = idAt(answer, api.id);
  if (id === undefined) throw new HookTrouble('The app’s response has no webhook ID.', { again: true });
  const handedOut = typeof api.secret === 'object' ? textAt(answer, api.secret.at) : undefined;
  if (typeof api.secret === 'object' && handedOut === undefined)
    throw new HookTrouble('The app’s response has no signing secret.', { again: true });
  return { id, secret: handedOut ?? null };
}

/** Removes the webhook, if it still exists. Without its ID: all webhooks with our URL except those in `keep`. */
export async function removeHook(task: Task, keep: readonly string[]): Promise<void> {
  const { row } = task;
  const values = await valuesOf(task);
  if (row.remote_id === null) await removeLeftOver(task, values, keep);
  else await removeOne(task, values, row.remote_id);
}

/** The path at the app under which the webhook is registered, to describe it to users. */
export const placeOf = ({ add }: HookApi, { parameters }: Wanted): string =>
  add.path.replace(/\{\+?(\w+)\}/g, (_, name: string) => String(parameters[name] ?? name));

async function removeOne(task: Task, values: HookValues, id: string): Promise<void> {
  try {
    await ask(task, task.api.remove, { ...values, id });
  } catch (error) {
    if (!(error instanceof HookTrouble && (error.status === 404 || error.status === 410))) throw error;
  }
}

async function removeLeftOver(task: Task, values: HookValues, keep: readonly string[]): Promise<number> {
  const { api, row } = task;
  const listed = valueAt(await ask(task, api.list.request, values), api.list.items);
  if (!Array.isArray(listed)) throw new HookTrouble('The app returned no list of webhooks.', { again: true });
  const ours = listed.flatMap((each: unknown) => {
    const id = idAt(each, api.list.id);
    return id !== undefined && !keep.includes(id) && isOurs(textAt(each, api.list.url), row.ingress_hash) ? [id] : [];
  });
  for (const id of ours.slice(0, LEFT_OVER_MAX)) await removeOne(task, values, id);
  return ours.length;
}

/** Webhook URLs end with a token; only its hash is stored. */
const isOurs = (url: string | undefined, ingress_hash: string): boolean =>
  url !== undefined && hashToken(url.split(/[?#]/, 1)[0]?.split('/').at(-1) ?? '') === ingress_hash;

async function valuesOf(task: Task): Promise<HookValues> {
  const { api, row } = task;
  const { event_type, parameters } = JSON.parse(row.wanted) as Wanted;
  const given = Object.entries(parameters).flatMap(([name, value]): [string, string | string[]][] =>
    Array.isArray(value) ? [[name, value.map(String)]] : [[name, String(value)]],
  );
  const events = eventNames(api, event_type);
  const values = { ...Object.fromEntries(given), events, event: events[0] ?? event_type };
  if (!api.before) return values;
  const answer = await ask(task, api.before.request, values);
  const taken = Object.entries(api.before.take).map(([name, path]): [string, string] => {
    const text = textAt(answer, path);
    if (text === undefined) throw new HookTrouble(`The app did not return its ${name}.`, { again: true });
    return [name, text];
  });
  return { ...values, ...Object.fromEntries(taken) };
}

async function ask(task: Task, template: HookRequest, values: HookValues): Promise<unknown> {
  const { row, api } = task;
  if (row.connection_id === null) throw new HookTrouble('The connection was deleted.');
  const deadlineMs = Math.min(PROVIDER_TIMEOUT_MS, task.endsAtMs - performance.now());
  if (deadlineMs <= 0) throw new HookTrouble('The app did not respond in time.', { again: true });
  const { answer, failure } = await call(task, row.connection_id, template, values, deadlineMs);
  if (failure || !answer) throw new HookTrouble(failure?.message ?? 'The app did not respond.', { again: true });
  const { status } = answer;
  const body = readJson(answer.body);
  const said = hide(task, values, saidIn(body, api.refusedAt));
  const tail = said === undefined ? '' : ` Response: ${said}`;
  if (status >= 500 || LATER.has(status))
    throw new HookTrouble(`The app is temporarily unavailable (status ${status}).${tail}`, { again: true, status });
  if (status < 200 || status > 299)
    throw new HookTrouble(
      `${api.refusals[status] ?? WORDS[status] ?? `The app rejected the request (status ${status}).`}${tail}`,
      { status },
    );
  if (status !== 204 && answer.body.length > 0 && body === undefined && template.method !== 'DELETE')
    throw new HookTrouble('The app’s response is not JSON.', { again: true });
  if (api.refusedAt.some((path) => textAt(body, path) !== undefined))
    throw new HookTrouble(`The app rejected the request.${tail}`, { status: isNotFound(said) ? 404 : 422 });
  return body;
}

/** GraphQL always returns 200. */
const isNotFound = (said = '') => /not found|does not exist|could not find/i.test(said);

const WORDS: Readonly<Record<number, string>> = {
  401: 'The app no longer accepts the connection’s credentials: reconnect it.',
  402: 'The plan of the app does not include webhooks.',
  403: 'The connection is not allowed to manage webhooks there.',
  404: 'The app did not find it, or the connection has no access to it.',
};

async function call(
  { services, row: { account_id, app } }: Task,
  connection_id: string,
  template: HookRequest,
  values: HookValues,
  deadlineMs: number,
) {
  try {
    const request = fillRequest(template, values);
    const upstream = await choose(services, account_id, app, connection_id);
    return await callApp(services, account_id, app, upstream, request, {
      deadlineMs,
      maxBytes: PROVIDER_REPLY_MAX_BYTES,
    });
  } catch (error) {
    if (error instanceof UnfitValue) throw new HookTrouble(error.message);
    if (error instanceof Failure)
      throw new HookTrouble(error.message.replace(/^Service-Connection: /, ''), { again: error.status >= 500 });
    throw error;
  }
}

/** An app may echo what it was sent: the secret and the URL token are masked. */
function hide({ hidden }: Task, values: HookValues, said: string | undefined): string | undefined {
  const secrets = [...hidden, values['secret'], tokenOf(values['url'])].filter((each) => typeof each === 'string');
  return secrets.reduce((text, each) => (each === '' ? text : text?.replaceAll(each, '…')), said);
}

const tokenOf = (url: HookValues[string] | undefined) => (typeof url === 'string' ? url.split('/').at(-1) : undefined);
