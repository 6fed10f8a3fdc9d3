import type { Input, Reply } from '../../contract/operations.ts';
import { RESERVED_SEGMENTS } from '../../contract/routes.ts';
import { catalogue } from '../apps/catalogue.ts';
import { AppMistake, type CompiledApp, compileApp } from '../apps/compile.ts';
import { customApp } from '../apps/custom.ts';
import type { AppDefinition } from '../apps/definition.ts';
import { placeholders } from '../apps/template.ts';
import { now } from '../lib/clock.ts';
import { BlockedAddress } from '../lib/egress.ts';
import { badRequest, notFound } from '../lib/failure.ts';
import * as store from '../store/apps.ts';
import type { AppsTable } from '../store/schema.ts';
import type { Ctx, Services } from './context.ts';
import { write } from './write.ts';

/** Paths that {base_url} also has when it is the root of a host of its own. */
const OTHER_PATHS = ['healthz', 'readyz', 'metrics', 'downloads', 'hooks', 'connect', 'oauth'];
const TAKEN_PATHS = new Set<string>([...RESERVED_SEGMENTS, ...OTHER_PATHS]);

/** Every app of the catalogue and of the account, by name. */
export async function list(ctx: Ctx, _input: Input<'appList'>): Promise<Reply<'appList'>> {
  const own = (await store.list(ctx.db, ctx.account_id)).map(read);
  const all = [
    ...[...catalogue.values()].map(({ definition }) => describe(definition, false)),
    ...own.map((definition) => describe(definition, true)),
  ];
  return { apps: all.sort((a, b) => a.name.localeCompare(b.name) || a.app.localeCompare(b.app)) };
}

/** One app; 404 when neither the catalogue nor the account has it. */
export async function get(ctx: Ctx, { params }: Input<'appGet'>): Promise<Reply<'appGet'>> {
  const app = await findApp(ctx, ctx.account_id, params.app);
  if (!app) throw notFound('App');
  return { app: describe(app.definition, !catalogue.has(params.app)) };
}

/** Adds an app of the account's own. Its address is held against the egress rules now, and again with every call. */
export async function create(ctx: Ctx, { body }: Input<'appCreate'>): Promise<Reply<'appCreate'>> {
  if (TAKEN_PATHS.has(body.app)) throw badRequest(`app: expected an id that is no path of the service; ${body.app} is`);
  if (catalogue.has(body.app)) throw taken(body.app);
  const definition = customApp(body);
  compileOrRefuse(definition);
  if (placeholders(body.base_url).length === 0) await refuseBlocked(ctx, body.base_url);
  await write(ctx, async (tx, about) => {
    about(body.app);
    const row = { app: body.app, definition: JSON.stringify(definition), created_at: now() };
    if (!(await store.insert(tx, ctx.account_id, row))) throw taken(body.app);
  });
  ctx.live.publish(ctx.account_id, { noun: 'account' });
  return { app: describe(definition, true) };
}

/** An app that this account may use, from the catalogue or its own; undefined when there is none of that id. */
export async function findApp(
  services: Pick<Services, 'db'>,
  account_id: string,
  app: string,
): Promise<CompiledApp | undefined> {
  const known = catalogue.get(app);
  if (known) return known;
  // No stored id is longer or has other characters, and PostgreSQL takes no NUL.
  if (!/^[a-z0-9-]{1,64}$/.test(app)) return undefined;
  const row = await store.find(services.db, account_id, app);
  return row && compileApp(read(row));
}

const read = (row: AppsTable) => JSON.parse(row.definition) as AppDefinition;
const taken = (app: string) => badRequest(`app: expected an id that is free; there is an app ${app} already`);

function compileOrRefuse(definition: AppDefinition): void {
  try {
    compileApp(definition);
  } catch (error) {
    // The form of POST /apps has one place where the definition has a list of them.
    if (error instanceof AppMistake) throw badRequest(error.message.replace(/\.put\.0\./, '.place.'));
    throw error;
  }
}

async function refuseBlocked(ctx: Ctx, base_url: string): Promise<void> {
  try {
    await ctx.egress.check(base_url);
  } catch (error) {
    if (error instanceof BlockedAddress) throw badRequest(`base_url: expected a public address; ${error.message}`);
    throw error;
  }
}

function describe(definition: AppDefinition, custom: boolean): Reply<'appGet'>['app'] {
  return {
    app: definition.app,
    name: definition.name,
    base_url: definition.base_url,
    icon: definition.icon,
    docs_url: definition.docs_url,
    custom,
    methods: describeMethods(definition),
    event_types: definition.event_types,
  };
}

/** The methods as a form needs them: where a credential is put in stays here. */
export function describeMethods(definition: AppDefinition): Reply<'appGet'>['app']['methods'] {
  return definition.methods.map(({ method, fields }) => ({ method, fields, scopes: [] }));
}
