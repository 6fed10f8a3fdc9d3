import type { App } from '../../../api/entities.ts';

type Method = App['methods'][number];

/** Methods that need a client of the account first. */
export const lacksClient = ({ needs_client, has_client }: Method): boolean => needs_client && !has_client;

/** Why this app cannot be connected yet: every method needs a client first. */
export function waitsForClient({ methods, name }: Pick<App, 'methods' | 'name'>): string | undefined {
  return methods.length > 0 && methods.every(lacksClient) ? `Add a client of ${name} first.` : undefined;
}

/** The fields of the connect window: "API key", "Shop and Admin API access token"; empty if it has none. */
export const askedFor = ({ fields }: Method): string =>
  new Intl.ListFormat('en', { type: 'conjunction' }).format(fields.map(({ label }) => label));

/** The longest app name in a button label; the heading has the full name. */
const LONGEST_NAME = 40;

export const connectLabel = ({ name }: Pick<App, 'name'>): string =>
  name.length > LONGEST_NAME ? 'Connect' : `Connect ${name}`;

/** Whether the method redirects to the provider. */
export const goesAway = ({ method, needs_client }: Method): boolean => needs_client || method === 'MCP';
