/** Apps with webhook APIs that behave like the vendors', each on its own port, with failures that a test sets. */
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { catalogue } from '../../connections/apps/catalogue.ts';
import { type AppDefinition, bearerKey, secret } from '../../connections/apps/definition.ts';
import { connect } from '../../connections/test/connecting.ts';
import { now } from '../../lib/clock.ts';
import type { Identity } from '../../test/certificates.ts';
import type { Service } from '../../test/service.ts';

export type Vendor = 'github' | 'gitlab' | 'stripe' | 'linear' | 'shopify' | 'calendly';
export type StoredHook = { id: string; place: string; url: string; secret: string | null; events: string[] };
type Asked = { method: string; path: string; headers: IncomingMessage['headers']; body: string };
type Answer = { status: number; body?: unknown };
/** Replaces the usual response, which `usual` returns; undefined keeps the usual one. */
type Odd = (
  asked: Asked,
  usual: () => Answer,
) => Answer | string | 'hang up' | undefined | Promise<Answer | string | undefined>;

export type HookApp = {
  url: string;
  hooks: StoredHook[];
  asked: Asked[];
  odd: Odd;
  close(): Promise<void>;
};

/** With an identity it uses TLS under its real host name. */
export async function startHookApp(vendor: Vendor, port = 0, identity?: Identity): Promise<HookApp> {
  const sockets = new Set<Socket>();
  const listener = (req: IncomingMessage, res: ServerResponse) => void serve(req, res).catch(() => res.destroy());
  const server = identity ? createSecureServer(identity, listener) : createServer(listener);
  server.on('connection', (socket) => sockets.add(socket));
  await new Promise<void>((ok) => server.listen(port, '127.0.0.1', ok));
  const app: HookApp = {
    url: `${identity ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hooks: [],
    asked: [],
    odd: () => undefined,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((ok) => server.close(ok));
    },
  };
  let count = 0;
  const nextId = () => String(++count);
  async function serve(req: IncomingMessage, res: ServerResponse) {
    let body = '';
    for await (const chunk of req) body += chunk;
    const asked = { method: req.method ?? '', path: req.url ?? '', headers: req.headers, body };
    app.asked.push(asked);
    const usual = () => VENDORS[vendor](app, asked, nextId);
    const answer = (await app.odd(asked, usual)) ?? usual();
    if (answer === 'hang up') return void res.destroy();
    if (typeof answer === 'string') return void res.writeHead(200).end(answer);
    res.writeHead(answer.status, { 'content-type': 'application/json' });
    res.end(answer.body === undefined ? undefined : JSON.stringify(answer.body));
  }
  return app;
}

/** The catalogue's app as a custom app with this URL and one key. */
export async function addVendor(
  service: Service,
  vendor: Vendor,
  url: string,
): Promise<{ app: string; connection_id: string }> {
  const known = catalogue.get(vendor)?.definition;
  if (!known) throw new Error(vendor);
  const app = `${vendor}-${randomBytes(4).toString('hex')}`;
  const key = bearerKey(secret('api_key', 'Key', null));
  const definition: AppDefinition = { ...known, app, base_url: url, methods: [key], probe: null };
  await service.services.db
    .insertInto('apps')
    .values({ account_id: service.account_id, app, definition: JSON.stringify(definition), created_at: now() })
    .execute();
  return { app, connection_id: await connect(service, app, { api_key: 'k3y' }) };
}

type Serve = (app: HookApp, asked: Asked, nextId: () => string) => Answer;
const NOT_FOUND = { status: 404, body: { message: 'Not Found' } };

/** https://docs.github.com/en/rest/repos/webhooks */
const github: Serve = (app, { method, path, body }, nextId) => {
  const [, place = '', id] = /^(\/(?:repos\/[^/]+|orgs)\/[^/]+\/hooks)(?:\/(\d+))?(?:\?.*)?$/.exec(path) ?? [];
  if (place === '') return NOT_FOUND;
  const show = (hook: StoredHook) => ({
    id: Number(hook.id),
    config: { url: hook.url, secret: '********' },
    events: hook.events,
  });
  const there = app.hooks.filter((hook) => hook.place === place);
  if (method === 'GET') return { status: 200, body: there.map(show) };
  if (method === 'DELETE') return removed(app, place, id) ? { status: 204 } : NOT_FOUND;
  const { config, events } = JSON.parse(body) as { config: { url: string; secret: string }; events: string[] };
  if (there.some(({ url }) => url === config.url))
    return {
      status: 422,
      body: {
        message: 'Validation Failed',
        errors: [{ resource: 'Hook', code: 'custom', message: 'Hook already exists on this repository' }],
      },
    };
  return {
    status: 201,
    body: show(added(app, { id: nextId(), place, url: config.url, secret: config.secret, events })),
  };
};

/** https://docs.gitlab.com/api/project_webhooks/ */
const gitlab: Serve = (app, { method, path, body }, nextId) => {
  const [, place = '', id] = /^(\/api\/v4\/(?:projects|groups)\/[^/]+\/hooks)(?:\/(\d+))?(?:\?.*)?$/.exec(path) ?? [];
  if (place === '') return { status: 404, body: { error: '404 Not Found' } };
  if (method === 'GET') return { status: 200, body: app.hooks.filter((hook) => hook.place === place) };
  if (method === 'DELETE') return removed(app, place, id) ? { status: 204 } : NOT_FOUND;
  const { url, token, ...flags } = JSON.parse(body) as { url: string; token: string };
  const events = Object.entries(flags).flatMap(([name, on]) => (on === true && name.endsWith('_events') ? [name] : []));
  const hook = added(app, { id: nextId(), place, url, secret: token, events });
  return { status: 201, body: { id: Number(hook.id), url } };
};

/** https://docs.stripe.com/api/webhook_endpoints */
const stripe: Serve = (app, { method, path, body }, nextId) => {
  const [, place = '', id] = /^(\/v1\/webhook_endpoints)(?:\/(we_\d+))?(?:\?.*)?$/.exec(path) ?? [];
  if (place === '') return NOT_FOUND;
  if (method === 'GET')
    return { status: 200, body: { object: 'list', data: app.hooks.map(({ id, url }) => ({ id, url })) } };
  if (method === 'DELETE')
    return removed(app, place, id)
      ? { status: 200, body: { id, deleted: true } }
      : { status: 404, body: { error: { message: 'No such webhook endpoint' } } };
  const form = new URLSearchParams(body);
  const hook = {
    id: `we_${nextId()}`,
    place,
    url: form.get('url') ?? '',
    secret: `whsec_${'s'.repeat(31)}${app.hooks.length}`,
  };
  const { secret, ...shown } = added(app, { ...hook, events: form.getAll('enabled_events[]') });
  return { status: 200, body: { ...shown, secret } };
};

/** https://linear.app/developers/webhooks */
const linear: Serve = (app, { path, body }, nextId) => {
  if (path !== '/graphql') return NOT_FOUND;
  const { query, variables } = JSON.parse(body) as { query: string; variables: Record<string, never> };
  if (query.includes('teams(')) return { status: 200, body: { data: { teams: { nodes: [{ id: 'team-1' }] } } } };
  if (query.includes('webhookCreate')) {
    const { url, secret, resourceTypes } = variables['input'] as unknown as Record<string, never>;
    const hook = added(app, {
      id: `lin-${nextId()}`,
      place: '',
      url: url ?? '',
      secret: secret ?? null,
      events: resourceTypes ?? [],
    });
    return { status: 200, body: { data: { webhookCreate: { success: true, webhook: { id: hook.id } } } } };
  }
  if (query.includes('webhookDelete')) {
    if (removed(app, '', variables['id'])) return { status: 200, body: { data: { webhookDelete: { success: true } } } };
    return { status: 200, body: { errors: [{ message: 'Entity not found: Webhook' }], data: null } };
  }
  return { status: 200, body: { data: { webhooks: { nodes: app.hooks.map(({ id, url }) => ({ id, url })) } } } };
};

/** https://shopify.dev/docs/api/admin-graphql */
const shopify: Serve = (app, { path, body }, nextId) => {
  if (!/^\/admin\/api\/\d{4}-\d{2}\/graphql\.json$/.test(path)) return NOT_FOUND;
  const { query, variables } = JSON.parse(body) as {
    query: string;
    variables: { topic: string; hook: { uri: string }; id: string };
  };
  if (query.includes('webhookSubscriptionCreate')) {
    const { topic, hook } = variables;
    const taken = app.hooks.some(({ url, events }) => url === hook.uri && events[0] === topic);
    const refused = {
      webhookSubscription: null,
      userErrors: [{ message: 'Address for this topic has already been taken' }],
    };
    if (taken) return { status: 200, body: { data: { webhookSubscriptionCreate: refused } } };
    const id = `gid://shopify/WebhookSubscription/${nextId()}`;
    added(app, { id, place: '', url: hook.uri, secret: null, events: [topic] });
    return {
      status: 200,
      body: { data: { webhookSubscriptionCreate: { webhookSubscription: { id }, userErrors: [] } } },
    };
  }
  if (query.includes('webhookSubscriptionDelete')) {
    const userErrors = removed(app, '', variables.id) ? [] : [{ message: 'Webhook subscription does not exist' }];
    return { status: 200, body: { data: { webhookSubscriptionDelete: { userErrors } } } };
  }
  return {
    status: 200,
    body: { data: { webhookSubscriptions: { nodes: app.hooks.map(({ id, url }) => ({ id, uri: url })) } } },
  };
};

/** https://developer.calendly.com/api-docs */
const calendly: Serve = (app, { method, path, body }, nextId) => {
  const organization = `${app.url}/organizations/ACME`;
  if (path === '/users/me')
    return { status: 200, body: { resource: { uri: `${app.url}/users/U1`, current_organization: organization } } };
  const url = new URL(path, app.url);
  const id = /^\/webhook_subscriptions\/(\w+)$/.exec(url.pathname)?.[1];
  const show = (hook: StoredHook) => ({ uri: `${app.url}/webhook_subscriptions/${hook.id}`, callback_url: hook.url });
  if (method === 'DELETE') return removed(app, '', id) ? { status: 204 } : NOT_FOUND;
  if (method === 'GET') {
    if (url.searchParams.get('organization') !== organization)
      return { status: 400, body: { title: 'Invalid Argument' } };
    return { status: 200, body: { collection: app.hooks.map(show) } };
  }
  const given = JSON.parse(body) as {
    url: string;
    events: string[];
    organization: string;
    scope: string;
    signing_key: string;
  };
  if (given.organization !== organization || given.scope !== 'organization')
    return { status: 400, body: { title: 'Invalid Argument' } };
  if (app.hooks.some((hook) => hook.url === given.url))
    return { status: 409, body: { title: 'Already Exists', message: 'Hook with this url already exists' } };
  const hook = added(app, {
    id: `C${nextId()}`,
    place: '',
    url: given.url,
    secret: given.signing_key,
    events: given.events,
  });
  return { status: 201, body: { resource: show(hook) } };
};

const VENDORS: Record<Vendor, Serve> = { github, gitlab, stripe, linear, shopify, calendly };

function added(app: HookApp, hook: StoredHook): StoredHook {
  app.hooks.push(hook);
  return hook;
}

function removed(app: HookApp, place: string, id: string | undefined): boolean {
  const index = app.hooks.findIndex((hook) => hook.place === place && hook.id === id);
  if (index >= 0) app.hooks.splice(index, 1);
  return index >= 0;
}
