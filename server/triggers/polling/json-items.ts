/** Polls a list of a connected app: finds the list in the response, and the ID of each entry. */
import { createHash } from 'node:crypto';
import { JSON_MAX_DEPTH } from '../../../contract/limits.ts';
import { isJsonObject, LongNumber, parseExactly } from '../../../contract/text/exact-json.ts';
import { choose } from '../../connections/upstream/choose.ts';
import { callApp } from '../../connections/upstream/upstream-call.ts';
import type { Services } from '../../platform/context.ts';
import type { Item } from './position.ts';
import { PollTrouble } from './trouble.ts';

const LIMITS = { deadlineMs: 30_000, maxBytes: 5 * 1024 * 1024 };

/** Parameters of the source `poll`. Dotted paths; with an empty `items` the whole response is the list. */
export type PollParameters = { path: string; items: string; id: string; order: 'newest_first' | 'oldest_first' };

/** Requests the list through the connection, like a gateway call; returns it newest first. */
export async function readItems(
  services: Services,
  account_id: string,
  app: string,
  connection_id: string,
  parameters: PollParameters,
): Promise<Item[]> {
  const upstream = await choose(services, account_id, app, connection_id);
  const headers: [string, string][] = [['accept', 'application/json']];
  const request = { method: 'GET', path: parameters.path, headers, body: null };
  const { answer, failure } = await callApp(services, account_id, app, upstream, request, LIMITS);
  if (!answer || failure) throw new PollTrouble(failure?.message ?? 'The app did not respond.');
  if (answer.status !== 200) throw new PollTrouble(`The app returned ${answer.status}.`);
  if (answer.truncated) throw new PollTrouble(`The app returned more than ${LIMITS.maxBytes / 1024 / 1024} MiB.`);
  return itemsIn(answer.body.toString('utf8'), parameters);
}

/** The entries of the list in a JSON text, newest first. Throws PollTrouble without a list. */
export function itemsIn(text: string, { items, id, order }: PollParameters): Item[] {
  let reply: unknown;
  try {
    reply = parseExactly(text);
  } catch {
    throw new PollTrouble('The app’s response is not JSON.');
  }
  const list = at(reply, items);
  if (!Array.isArray(list))
    throw new PollTrouble(`Expected a list ${items ? `at ${items}` : 'as the whole response'}; there is none.`);
  const found = list.map((entry: unknown): Item => {
    if (depthOf(entry) > JSON_MAX_DEPTH) throw new PollTrouble(`An entry is deeper than ${JSON_MAX_DEPTH} levels.`);
    const own = at(entry, id);
    const known = textOf(own) ?? digest(entry);
    return { id: known, payload: isJsonObject(entry) ? entry : { value: entry } };
  });
  return order === 'oldest_first' ? found.reverse() : found;
}

function at(value: unknown, path: string): unknown {
  if (path === '') return value;
  return path.split('.').reduce<unknown>((inner, name) => {
    if (typeof inner !== 'object' || inner === null || !Object.hasOwn(inner, name)) return undefined;
    return (inner as Record<string, unknown>)[name];
  }, value);
}

function textOf(id: unknown): string | undefined {
  return typeof id === 'string' || typeof id === 'number' || id instanceof LongNumber ? String(id) : undefined;
}

/** An entry without an ID is identified by its whole content: a changed entry counts as new. */
const digest = (entry: unknown) => createHash('sha256').update(JSON.stringify(entry)).digest('base64url');

function depthOf(value: unknown): number {
  let level: unknown[] = [value];
  for (let depth = 0; ; depth++) {
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
    if (level.length === 0 || depth > JSON_MAX_DEPTH) return depth;
  }
}
