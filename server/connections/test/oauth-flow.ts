/** The steps of a user who authorizes an app, for tests: link → provider → callback → window. */
import { expect } from 'vitest';
import type { Service } from '../../test/service.ts';
import { openVisitor, type Visitor } from '../../test/visitor.ts';
import { getConnection, newConnection, submitIn, windowAt } from './connecting.ts';
import { agree, type OAuthProvider } from './oauth-provider.ts';

export const callbackOf = (service: Pick<Service, 'port'>) => `http://localhost:${service.port}/connect/oauth/callback`;

let made = 0;
/** An app with this provider and its API, with the account's client set (null: none). */
export async function addCloud(
  service: Service,
  provider: OAuthProvider,
  { method = {}, client = provider.client }: { method?: object; client?: object | null } = {},
): Promise<string> {
  const app = `cloud-${++made}`;
  const methods = provider.methods(method);
  const answer = await service.api('POST', '/apps', { app, name: 'Cloud', base_url: `${provider.url}/api`, methods });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  if (client) await service.api('PUT', `/apps/${app}/credentials/OAUTH2`, client);
  return app;
}

export type Flow = {
  app: string;
  id: string;
  link: string;
  visitor: Visitor;
  /** The provider's page, with what the service asks of it. */
  authorize: string;
};

/** Opens the link of this connection (or of a new one) and presses the button. */
export async function begin(
  service: Service,
  app: string,
  { id, visitor = openVisitor() }: { id?: string; visitor?: Visitor } = {},
): Promise<Flow> {
  const connection_id = id ?? (await newConnection(service, app));
  const { url } = await getConnection(service, connection_id);
  const { status, body } = await submitIn(visitor, url, 'OAUTH2');
  expect([status, typeof body.redirect_url], body.message).toEqual([200, 'string']);
  return { app, id: connection_id, link: url, visitor, authorize: body.redirect_url ?? '' };
}

/** Requests the callback URL in the browser; `to` is the redirect. */
export async function goBack(visitor: Visitor, address: string) {
  const answer = await visitor.ask(address);
  return { status: answer.status, headers: answer.headers, to: answer.headers.get('location') ?? '' };
}

/** Completes a connection. */
export async function connectAt(service: Service, app: string, how: { id?: string } = {}): Promise<Flow> {
  const flow = await begin(service, app, how);
  const { to } = await goBack(flow.visitor, await agree(flow.visitor, flow.authorize));
  expect(await windowAt(service, to)).toMatchObject({ status: 'ACTIVE', finished: true });
  return flow;
}
