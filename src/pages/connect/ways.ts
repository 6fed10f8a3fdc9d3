/** Names of the ways to connect an app, for people who know none of them. */
import type { ConnectMethod } from './connect-api.ts';

type Way = Pick<ConnectMethod, 'method' | 'fields' | 'needs_client' | 'has_client'>;

/** The account has to register a client with the provider before anybody can use this way. */
export const isUnready = ({ needs_client, has_client }: Way): boolean => needs_client && !has_client;

/** The browser is redirected to the provider's own page. A server of tools is asked whether it has one. */
export const leadsAway = ({ method, needs_client, fields }: Way): boolean =>
  needs_client || (method === 'MCP' && !fields.some(({ name }) => name === 'token'));

/** "Sign in at GitHub", "Personal access token", "User name and password". Fields common to all distinguish none. */
export function nameOf(way: Way, appName: string, all: readonly Way[]): string {
  if (leadsAway(way)) return `Sign in at ${appName}`;
  const asking = all.filter((each) => !leadsAway(each));
  const isOwn = ({ name }: Way['fields'][number]) =>
    asking.length < 2 || !asking.every(({ fields }) => fields.some((field) => field.name === name));
  const labels = way.fields.filter(isOwn).map(({ label }) => label);
  return new Intl.ListFormat('en', { type: 'conjunction' }).format(labels) || 'No credentials';
}

/** A button has one line, also on a narrow phone: a longer name is in the heading anyway. */
const LONGEST_NAME = 24;
const shortly = (verb: string, appName: string): string =>
  appName.length > LONGEST_NAME ? verb : `${verb} to ${appName}`;

/** What the button says. */
export function verbOf(way: Way, appName: string, again: boolean): string {
  if (again) return 'Try again';
  return leadsAway(way) ? shortly('Continue', appName) : 'Connect';
}

/** And what it says while it is under way. */
export const doingOf = (way: Way, appName: string): string =>
  leadsAway(way) ? `${shortly('Redirecting', appName)}…` : 'Connecting…';
