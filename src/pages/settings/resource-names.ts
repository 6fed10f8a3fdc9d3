/** Names and pages of the resources in the audit log. */
import { useQuery } from '@tanstack/react-query';
import { q } from '../../api/queries.ts';
import { path } from '../../lib/path.ts';

export type NamedResource = { readonly name: string; readonly to: string };

const triggersQuery = q('triggerList', { query: { limit: 200 } });
const functionsQuery = q('functionList', { query: { limit: 200 } });
const connectionsQuery = q('connectionList', { query: { limit: 200 } });

/** The resources by ID. The page is shown before these lists have loaded: until then, it shows IDs. */
export function useResourceNames(): ReadonlyMap<string, NamedResource> {
  const triggers = useQuery(triggersQuery).data?.triggers ?? [];
  const functions = useQuery(functionsQuery).data?.functions ?? [];
  const connections = useQuery(connectionsQuery).data?.connections ?? [];
  const keys = useQuery(q('apiKeyList')).data?.api_keys ?? [];
  const members = useQuery(q('memberList')).data?.members ?? [];
  const account = useQuery(q('accountGet')).data?.account;
  const named = new Map<string, NamedResource>();
  for (const { trigger_id, name, destinations } of triggers) {
    named.set(trigger_id, { name, to: path.trigger(trigger_id, 'settings') });
    for (const each of destinations)
      named.set(each.destination_id, { name: each.name, to: path.destination(trigger_id, each.destination_id) });
  }
  for (const { function_id, name } of functions) named.set(function_id, { name, to: path.function(function_id) });
  for (const { connection_id, name, app } of connections)
    named.set(connection_id, { name: name ?? app, to: path.connection(connection_id) });
  for (const { key_id, name } of keys) named.set(key_id, { name, to: path.settings('keys') });
  for (const { user_id, name } of members) named.set(user_id, { name, to: path.settings('members') });
  if (account) named.set(account.account_id, { name: account.name, to: path.settings('account') });
  return named;
}

/** The page of a resource that the lists do not have: deleted, or of a kind whose ID is its address. */
export function pageOf(operation: string, id: string): string | undefined {
  if (/^app(?:Create|Update|Credential\w+)$/.test(operation)) return path.app(id);
  if (/^replay(?!List|Get)/.test(operation)) return path.replay(id);
  return undefined;
}
