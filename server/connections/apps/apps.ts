import type { Input, Reply } from '../../../contract/operations.ts';
import { CLIENT_GRANTS } from '../../../contract/states.ts';
import { parseExactly } from '../../../contract/text/exact-json.ts';
import { notFound } from '../../lib/failure.ts';
import type { Ctx, Services } from '../../platform/context.ts';
import type { Tx } from '../../platform/database/schema.ts';
import * as clients from '../store/app-credentials.ts';
import * as store from '../store/apps.ts';
import { catalogue } from './catalogue.ts';
import { type CompiledApp, compileApp } from './compile.ts';
import { givenOf } from './custom-given.ts';
import { type AppDefinition, GATEWAY, type WebhookDefinition } from './definition.ts';
import { dottedTypes } from './event-names.ts';
import type { SourceDefinition } from './source.ts';

/** All apps of the catalogue and of the account, sorted by name. */
export async function list(ctx: Ctx, _input: Input<'appList'>): Promise<Reply<'appList'>> {
  const own = (await store.list(ctx.db, ctx.account_id)).map(readDefinition);
  const clients = await clientsOf(ctx, ctx.account_id);
  const all = [
    ...[...catalogue.values()].map(({ definition }) => describe(definition, false, clients)),
    ...own.map((definition) => describe(definition, true, clients)),
  ];
  return { apps: all.sort((a, b) => a.name.localeCompare(b.name) || a.app.localeCompare(b.app)) };
}

/** The IDs of the apps whose name contains this text, in any case. */
export async function appsNamed({ db }: Pick<Services, 'db'>, account_id: string, text: string): Promise<string[]> {
  const wanted = text.toLowerCase();
  const own = (await store.list(db, account_id)).map(readDefinition);
  return [...[...catalogue.values()].map(({ definition }) => definition), ...own]
    .filter(({ name }) => name.toLowerCase().includes(wanted))
    .map(({ app }) => app);
}

/** One app; 404 if neither the catalogue nor the account has it. */
export async function get(ctx: Ctx, { params }: Input<'appGet'>): Promise<Reply<'appGet'>> {
  const app = await findApp(ctx, ctx.account_id, params.app);
  if (!app) throw notFound('App');
  const clients = await clientsOf(ctx, ctx.account_id, params.app);
  return { app: describe(app.definition, !catalogue.has(params.app), clients) };
}

/** Whether the app exists; locks it until the transaction ends, for inserts of rows that reference it. */
export async function holdApp(tx: Tx, account_id: string, app: string): Promise<boolean> {
  return catalogue.has(app) || store.hold(tx, account_id, app);
}

/** An app of the catalogue or of the account, by ID; undefined if neither has it. */
export async function findApp(
  services: Pick<Services, 'db'>,
  account_id: string,
  app: string,
): Promise<CompiledApp | undefined> {
  const known = catalogue.get(app);
  if (known) return known;
  // Stored IDs have only these characters and at most this length, and PostgreSQL rejects NUL.
  if (!/^[a-z0-9-]{1,64}$/.test(app)) return undefined;
  const row = await store.find(services.db, account_id, app);
  return row && compileApp(readDefinition(row));
}

/** The definition of a custom app. */
export function readDefinition(row: store.AppRow): AppDefinition {
  const definition = parseExactly(row.definition) as Omit<AppDefinition, 'source' | 'hooks' | 'gateway'> &
    Partial<AppDefinition>;
  // Rows stored before these were introduced have none.
  const { source = null, hooks = [], gateway } = definition;
  return { ...definition, source, hooks, gateway: { ...GATEWAY, ...gateway } };
}

/** An app as the API returns it; `clients` is the result of `clientsOf`. */
export function describe(definition: AppDefinition, custom: boolean, clients: Clients): Reply<'appGet'>['app'] {
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
    event_types: dottedTypes(definition),
    source: definition.source && describeSource(definition.source, definition.hooks.length > 0),
    gateway: definition.gateway,
    definition: custom ? givenOf(definition) : null,
  };
}

function describeSource(source: SourceDefinition, registers: boolean): Reply<'appGet'>['app']['source'] {
  const { transport } = source;
  const needs_connection = 'needs_connection' in source && source.needs_connection;
  if (transport !== 'push') return { transport, needs_connection, secret: 'none', registers: false, steps: [] };
  return { transport, needs_connection, secret: source.secret, registers, steps: source.steps };
}

function describeWebhook({ signature, docs_url }: WebhookDefinition): Reply<'appGet'>['app']['webhook'] {
  const header = signature.kind === 'standard' ? `${signature.prefix}signature` : signature.header;
  return { kind: signature.kind, header, docs_url };
}

/** The methods as a form needs them, without the placement of credentials. */
export function describeMethods(definition: AppDefinition, clients: Clients): Reply<'appGet'>['app']['methods'] {
  return definition.methods.map((method) => {
    const grant = method.method === 'OAUTH2' ? method.grant : null;
    const client = clients.get(`${definition.app} ${method.method}`);
    return {
      method: method.method,
      fields: method.fields,
      scopes: method.method === 'OAUTH2' ? (client?.scopes ?? method.scopes) : [],
      grant,
      needs_client: method.method === 'OAUTH1' || CLIENT_GRANTS.includes(grant ?? ''),
      has_client: client !== undefined,
    };
  });
}

/** The account's clients by app and method (`github OAUTH2`), with the scopes chosen for each. */
export type Clients = ReadonlyMap<string, { scopes: string[] | null }>;

export async function clientsOf({ db }: Pick<Services, 'db'>, account_id: string, app?: string): Promise<Clients> {
  const rows = await clients.list(db, account_id, app);
  return new Map(
    rows.map(({ app, method, scopes }) => [
      `${app} ${method}`,
      { scopes: scopes === null ? null : (JSON.parse(scopes) as string[]) },
    ]),
  );
}
