import type { Input, Reply } from '../../contract/operations.ts';
import { RESERVED_SEGMENTS } from '../../contract/routes.ts';
import { catalogue } from '../apps/catalogue.ts';
import { AppMistake, addressesOf, type CompiledApp, compileApp } from '../apps/compile.ts';
import { customApp } from '../apps/custom.ts';
import { givenOf } from '../apps/custom-given.ts';
import type { AppDefinition, WebhookDefinition } from '../apps/definition.ts';
import { placeholders } from '../apps/template.ts';
import { now } from '../lib/clock.ts';
import { BlockedAddress } from '../lib/egress.ts';
import { badRequest, notFound } from '../lib/failure.ts';
import * as clients from '../store/app-credentials.ts';
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
  const clients = await clientsOf(ctx, ctx.account_id);
  const all = [
    ...[...catalogue.values()].map(({ definition }) => describe(definition, false, clients)),
    ...own.map((definition) => describe(definition, true, clients)),
  ];
  return { apps: all.sort((a, b) => a.name.localeCompare(b.name) || a.app.localeCompare(b.app)) };
}

/** One app; 404 when neither the catalogue nor the account has it. */
export async function get(ctx: Ctx, { params }: Input<'appGet'>): Promise<Reply<'appGet'>> {
  const app = await findApp(ctx, ctx.account_id, params.app);
  if (!app) throw notFound('App');
  const clients = await clientsOf(ctx, ctx.account_id, params.app);
  return { app: describe(app.definition, !catalogue.has(params.app), clients) };
}

/** Adds an app of the account's own. Its address is held against the egress rules now, and again with every call. */
export async function create(ctx: Ctx, { body }: Input<'appCreate'>): Promise<Reply<'appCreate'>> {
  if (TAKEN_PATHS.has(body.app)) throw badRequest(`app: expected an id that is no path of the service; ${body.app} is`);
  if (catalogue.has(body.app)) throw taken(body.app);
  const definition = customApp(body);
  compileOrRefuse(definition);
  await refuseBlocked(ctx, definition);
  await write(ctx, async (tx, about) => {
    about(body.app);
    const row = { app: body.app, definition: JSON.stringify(definition), created_at: now() };
    if (!(await store.insert(tx, ctx.account_id, row))) throw taken(body.app);
  });
  ctx.live.publish(ctx.account_id, { noun: 'account' });
  return { app: describe(definition, true, new Set()) };
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

/** Every address of the definition that needs nothing filled in is held against the egress rules. */
async function refuseBlocked(ctx: Ctx, definition: AppDefinition): Promise<void> {
  for (const [name, address] of addressesOf(definition)) {
    if (placeholders(address).length > 0) continue;
    try {
      await ctx.egress.check(address);
    } catch (error) {
      if (error instanceof BlockedAddress) throw badRequest(`${name}: expected a public address; ${error.message}`);
      throw error;
    }
  }
}

function describe(definition: AppDefinition, custom: boolean, clients: ReadonlySet<string>): Reply<'appGet'>['app'] {
  return {
    app: definition.app,
    name: definition.name,
    description: definition.description,
    category: definition.category,
    base_url: definition.base_url,
    icon: definition.icon,
    docs_url: definition.docs_url,
    custom,
    default_headers: definition.default_headers,
    webhook: definition.webhook && describeWebhook(definition.webhook),
    methods: describeMethods(definition, clients),
    event_types: definition.event_types,
    definition: custom ? givenOf(definition) : null,
  };
}

function describeWebhook({ signature, docs_url }: WebhookDefinition): Reply<'appGet'>['app']['webhook'] {
  const header = signature.kind === 'standard' ? `${signature.prefix}signature` : signature.header;
  return { kind: signature.kind, header, docs_url };
}

/** The methods as a form needs them: where a credential is put in stays here. */
export function describeMethods(
  definition: AppDefinition,
  clients: ReadonlySet<string>,
): Reply<'appGet'>['app']['methods'] {
  return definition.methods.map((method) => {
    const grant = method.method === 'OAUTH2' ? method.grant : null;
    return {
      method: method.method,
      fields: method.fields,
      scopes: method.method === 'OAUTH2' ? method.scopes : [],
      grant,
      needs_client: method.method === 'OAUTH1' || grant === 'authorization_code',
      has_client: clients.has(`${definition.app} ${method.method}`),
    };
  });
}

/** For which apps and methods the account has entered a client of its own: `github OAUTH2`. */
export async function clientsOf(
  { db }: Pick<Services, 'db'>,
  account_id: string,
  app?: string,
): Promise<ReadonlySet<string>> {
  const rows = await clients.list(db, account_id, app);
  return new Set(rows.map((row) => `${row.app} ${row.method}`));
}
