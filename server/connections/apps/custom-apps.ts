/**
 * Custom apps. They have the same form as the catalogue's apps. URLs are checked against the egress rules when the app
 * is saved and again on every connection; an invalid definition is rejected with the name of the field. Changing an app
 * keeps its connections and their credentials. If the new definition needs a value that a connection lacks, calls fail
 * with that message until the connection is reconnected.
 */
import { AppId } from '../../../contract/apps.ts';
import type { Input, Reply } from '../../../contract/operations.ts';
import { RESERVED_SEGMENTS } from '../../../contract/routes.ts';
import { write } from '../../accounts/write.ts';
import { now } from '../../lib/clock.ts';
import { badRequest, notFound } from '../../lib/failure.ts';
import type { Ctx } from '../../platform/context.ts';
import type { Tx } from '../../platform/database/schema.ts';
import { BlockedAddress } from '../../platform/egress/egress.ts';
import * as clients from '../store/app-credentials.ts';
import * as store from '../store/apps.ts';
import * as connections from '../store/connections.ts';
import * as savedRequests from '../store/saved-requests.ts';
import { clientsOf, describe, readDefinition } from './apps.ts';
import { catalogue } from './catalogue.ts';
import { AppMistake, addressesOf, compileApp } from './compile.ts';
import { changedApp, customApp } from './custom.ts';
import { givenOf } from './custom-given.ts';
import type { AppDefinition } from './definition.ts';
import { dottedTypes, nativeName } from './event-names.ts';
import { placeholders } from './template.ts';

/** Paths of the service itself, which collide with app IDs if {base_url} is the root of a host. */
const OTHER_PATHS = ['healthz', 'readyz', 'metrics', 'downloads', 'hooks', 'connect', 'oauth'];
const TAKEN_PATHS = new Set<string>([...RESERVED_SEGMENTS, ...OTHER_PATHS]);

/** Creates an app; 400 names the invalid field. */
export async function create(ctx: Ctx, { body }: Input<'appCreate'>): Promise<Reply<'appCreate'>> {
  if (TAKEN_PATHS.has(body.app))
    throw badRequest(`app: expected an id that is not a path of the service; ${body.app} is one`);
  if (catalogue.has(body.app)) throw taken(body.app);
  const definition = customApp(body);
  await check(ctx, definition);
  await write(ctx, async (tx, about) => {
    about(body.app, { noun: 'app', app: body.app });
    const row = { app: body.app, definition: JSON.stringify(definition), created_at: now(), paths: jsonOf(body.paths) };
    if (!(await store.insert(tx, ctx.account_id, row))) throw taken(body.app);
  });
  return { app: describe(definition, true, new Map()) };
}

/** Updates the given fields; `methods` is replaced as a whole. 400 for an app of the catalogue. */
export async function update(ctx: Ctx, { params, body }: Input<'appUpdate'>): Promise<Reply<'appUpdate'>> {
  checkOwn(params.app, 'changed');
  // DNS lookups can be slow, so they run outside the transaction.
  await check(ctx, changedApp(found(await store.find(ctx.db, ctx.account_id, params.app)), body));
  const definition = await write(ctx, async (tx, about, note) => {
    about(params.app, { noun: 'app', app: params.app });
    const before = found(await store.lock(tx, ctx.account_id, params.app));
    const changed = changedApp(before, body);
    // The app may have been changed meanwhile.
    compileOrRefuse(changed);
    await keepWaitedFor(tx, ctx.account_id, before, changed);
    const paths = body.paths === undefined ? {} : { paths: jsonOf(body.paths) };
    await store.update(tx, ctx.account_id, params.app, { definition: JSON.stringify(changed), ...paths });
    note(body, givenOf(before), givenOf(changed));
    return changed;
  });
  return { app: describe(definition, true, await clientsOf(ctx, ctx.account_id, params.app)) };
}

/** Rejects removing an event type that a trigger uses: the trigger could neither be read nor changed without it. */
async function keepWaitedFor(tx: Tx, account_id: string, before: AppDefinition, changed: AppDefinition): Promise<void> {
  const types = new Set(dottedTypes(changed).map(({ event_type }) => event_type));
  const lost = (await store.eventTypesInUse(tx, account_id, changed.app)).find((each) => !types.has(each));
  if (lost !== undefined)
    throw badRequest(`events.types: expected ${nativeName(before, lost)} among them, as a trigger uses ${lost}`);
}

/** Deletes an app with the account's clients at it; 400 while it has connections. */
export async function remove(ctx: Ctx, { params }: Input<'appDelete'>): Promise<Reply<'appDelete'>> {
  checkOwn(params.app, 'deleted');
  await write(ctx, async (tx, about) => {
    about(params.app, { noun: 'app', app: params.app });
    found(await store.lock(tx, ctx.account_id, params.app));
    const count = await connections.countOfApp(tx, ctx.account_id, params.app);
    if (count > 0) {
      const have = count === 1 ? 'there is 1 connection' : `there are ${count} connections`;
      throw badRequest(`app: ${have} of ${params.app}; delete ${count === 1 ? 'it' : 'them'} first`);
    }
    if ((await store.eventTypesInUse(tx, ctx.account_id, params.app)).length > 0)
      throw badRequest(`app: there are triggers of ${params.app}; delete them first`);
    await clients.removeOfApp(tx, ctx.account_id, params.app);
    await savedRequests.removeOfApp(tx, ctx.account_id, params.app);
    await store.remove(tx, ctx.account_id, params.app);
  });
  return {};
}

const jsonOf = (paths: readonly object[] = []) => (paths.length === 0 ? null : JSON.stringify(paths));

const taken = (app: string) => badRequest(`app: expected an unused id; the app ${app} already exists`);

function checkOwn(app: string, what: string): void {
  if (!AppId.safeParse(app).success) throw notFound('App');
  if (catalogue.has(app))
    throw badRequest(`app: ${app} is the same for every account; only custom apps can be ${what}`);
}

function found(row: store.AppRow | undefined): AppDefinition {
  if (!row) throw notFound('App');
  return readDefinition(row);
}

async function check(ctx: Ctx, definition: AppDefinition): Promise<void> {
  compileOrRefuse(definition);
  for (const [name, address] of addressesOf(definition)) {
    // A URL with placeholders is checked when a user fills them in.
    if (placeholders(address).length > 0) continue;
    try {
      await ctx.egress.check(address);
    } catch (error) {
      if (!(error instanceof BlockedAddress)) throw error;
      throw badRequest(`${name}: ${error.isForbidden ? '' : 'expected a public address; '}${error.message}`);
    }
  }
}

function compileOrRefuse(definition: AppDefinition): void {
  try {
    compileApp(definition);
  } catch (error) {
    if (error instanceof AppMistake) throw badRequest(asWritten(error.message, definition));
    throw error;
  }
}

/** The body of POST /apps has `place` and `more_places`; a definition has a single list. */
function asWritten(message: string, { methods }: AppDefinition): string {
  return message.replace(/^methods\.(\d+)\.put\.(\d+)\./, (_, method: string, index: string) => {
    const definition = methods[Number(method)];
    const several = definition?.method === 'API_KEY' && !definition.put[0]?.template.includes('{api_key}');
    const beside = Number(index) - (several ? 0 : 1);
    return `methods.${method}.${beside < 0 ? 'place' : `more_places.${beside}`}.`;
  });
}
