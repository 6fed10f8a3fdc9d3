import type { App } from '../../../api/entities.ts';

type Method = App['methods'][number];

/** Ways that wait for the account to enter its client first. */
export const lacksClient = ({ needs_client, has_client }: Method): boolean => needs_client && !has_client;

/** Why a connection of this app can't be completed yet: every method waits for a client. */
export function waitsForClient({ methods, name }: Pick<App, 'methods' | 'name'>): string | undefined {
  return methods.length > 0 && methods.every(lacksClient) ? `Add a client of ${name} first.` : undefined;
}

/** What the window will ask for: "API key", "Shop and Admin API access token"; empty where it asks for nothing. */
export const askedFor = ({ fields }: Method): string =>
  new Intl.ListFormat('en', { type: 'conjunction' }).format(fields.map(({ label }) => label));

/** A button has one line: a longer name is in the heading anyway. */
const LONGEST_NAME = 40;

export const connectLabel = ({ name }: Pick<App, 'name'>): string =>
  name.length > LONGEST_NAME ? 'Connect' : `Connect ${name}`;

/** Whether the browser is redirected to the provider's own page. */
export const goesAway = ({ method, needs_client }: Method): boolean => needs_client || method === 'MCP';
