/** Display names of authentication methods, for users who know none of them. */
import type { ConnectMethod } from './connect-api.ts';

type Way = Pick<ConnectMethod, 'method' | 'fields' | 'needs_client' | 'has_client'> &
  Partial<Pick<ConnectMethod, 'grant'>>;

/** The account must register a client with the provider before this method can be used. */
export const isUnready = ({ needs_client, has_client }: Way): boolean => needs_client && !has_client;

/** Whether the method redirects to the provider. For an MCP server this is discovered. */
export const leadsAway = ({ method, needs_client, grant, fields }: Way): boolean =>
  (needs_client && grant !== 'token_exchange') || (method === 'MCP' && !fields.some(({ name }) => name === 'token'));

/** "Sign in at GitHub", "Personal access token", "User name and password". Fields common to all methods are ignored. */
export function nameOf(way: Way, appName: string, all: readonly Way[]): string {
  if (leadsAway(way)) return `Sign in at ${appName}`;
  const asking = all.filter((each) => !leadsAway(each));
  const isOwn = ({ name }: Way['fields'][number]) =>
    asking.length < 2 || !asking.every(({ fields }) => fields.some((field) => field.name === name));
  const labels = way.fields.filter(isOwn).map(({ label }) => label);
  return new Intl.ListFormat('en', { type: 'conjunction' }).format(labels) || 'No credentials';
}

/** The longest app name in a button label, which has one line on a narrow phone. The heading has the full name. */
const LONGEST_NAME = 24;
const shortly = (verb: string, appName: string): string =>
  appName.length > LONGEST_NAME ? verb : `${verb} to ${appName}`;

/** The label of the submit button. */
export function submitLabelOf(way: Way, appName: string, again: boolean): string {
  if (again) return 'Try again';
  if (way.grant === 'device_code') return 'Get a code';
  return leadsAway(way) ? shortly('Continue', appName) : 'Connect';
}

/** The label of the submit button while the request is in flight. */
export const pendingLabel = (way: Way, appName: string): string =>
  leadsAway(way) && way.grant !== 'device_code' ? `${shortly('Redirecting', appName)}…` : 'Connecting…';
