/** Steps of an admin and of the user of a link, for tests that need a connected app. */
import type { Service } from '../../test/service.ts';
import type { Visitor } from '../../test/visitor.ts';

export type Connection = {
  connection_id: string;
  status: string;
  url: string;
  app: string;
  method?: string;
  metadata: Record<string, unknown>;
  name: string | null;
  is_default: boolean;
  creation_time: string;
  last_updated_time: string;
  last_used_time: string | null;
  token_expires_at: string | null;
  refreshed_at: string | null;
  refresh_at: string | null;
  tags: string[];
  end_user: { id: string; email: string | null; name: string | null } | null;
};
export type Place = { in: 'header' | 'query'; name: string; template?: string };

/** A service in this process or in a separate one. */
export type Api = Pick<Service, 'api' | 'url'>;

let made = 0;
/** Adds a custom app at this URL, with its key at `place`. */
export async function addApp(
  service: Api,
  base_url: string,
  place: Place = { in: 'header', name: 'Authorization', template: 'Bearer {api_key}' },
): Promise<string> {
  const app = `app-${++made}`;
  const answer = await service.api('POST', '/apps', {
    app,
    name: `App ${made}`,
    base_url,
    methods: [{ method: 'API_KEY', place }],
  });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return app;
}

export async function newConnection(service: Api, app: string, more: object = {}): Promise<string> {
  const { body } = await service.api<{ connection_id: string }>('POST', '/connections', { app, ...more });
  return body.connection_id;
}

export async function getConnection(service: Api, connection_id: string): Promise<Connection> {
  return (await service.api<{ connection: Connection }>('GET', `/connections/${connection_id}`)).body.connection;
}

export const tokenOf = (url: string) => new URL(url).searchParams.get('token') ?? '';

/** One request of the connect window, authorized with the link's token only. */
export async function onLink(service: Api, token: string, body?: unknown) {
  const response = await fetch(`${service.url}/connect/api/session`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

/** Submits the form of the window in this user's browser. `redirect_url` is the next URL of the browser. */
export async function submitIn(
  visitor: Visitor,
  link: string,
  method: string,
  fields: Record<string, string> = {},
): Promise<{ status: number; body: { redirect_url: string | null; message?: string; session?: Session } }> {
  const answer = await visitor.ask(`${link.split('?')[0]}/api/session`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tokenOf(link)}`, 'content-type': 'application/json' },
    body: JSON.stringify({ method, fields }),
  });
  return { status: answer.status, body: (await answer.json()) as never };
}

export type Session = {
  status: string;
  finished: boolean;
  failure: { code: string; message: string; since: string } | null;
  methods: { method: string; needs_client: boolean; has_client: boolean }[];
};

/** The session that the window shows at this URL: a link, or the redirect of the callback. */
export async function windowAt(service: Service, address: string): Promise<Session> {
  const { status, body } = await onLink(service, tokenOf(address));
  if (status !== 200) throw new Error(`${address}: ${JSON.stringify(body)}`);
  return body['session'] as Session;
}

/** A connection that was completed on its link. */
export async function connect(service: Api, app: string, fields: Record<string, string>): Promise<string> {
  const connection_id = await newConnection(service, app);
  const { url } = await getConnection(service, connection_id);
  const answer = await onLink(service, tokenOf(url), { method: 'API_KEY', fields });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return connection_id;
}

/** The name of a new app at this URL, with a connection whose key is `upstream-secret`. */
export async function addConnectedApp(service: Api, base_url: string): Promise<string> {
  const app = await addApp(service, base_url);
  await connect(service, app, { api_key: 'upstream-secret' });
  return app;
}
