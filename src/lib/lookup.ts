/** Maps an id to the page of the resource it identifies. */
import type { LookupKind } from '../../contract/states.ts';
import type { LookupMatch } from '../api/entities.ts';
import { path } from './path.ts';

export const LOOKUP_WORDS: Record<LookupKind, string> = {
  EVENT: 'Event',
  DELIVERY: 'Delivery',
  ATTEMPT: 'Attempt',
  RUN: 'Run',
  GATEWAY_CALL: 'Gateway call',
  REJECTION: 'Rejected request',
  TRIGGER: 'Trigger',
  DESTINATION: 'Destination',
  FUNCTION: 'Function',
  CONNECTION: 'Connection',
  REPLAY: 'Replay',
  API_KEY: 'API key',
  MEMBER: 'Member',
  AUDIT_ENTRY: 'Audit entry',
};

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** A request id set by a client: one long word with a digit. Few hosts and paths match. */
const REQUEST_ID = /^(?=[^\s]*\d)[\w.:+=@-]{8,128}$/;

/** Whether the text can be an id. Only then is it looked up. */
export function isIdLike(typed: string): boolean {
  const id = typed.trim();
  return UUID.test(id) || REQUEST_ID.test(id);
}

type Given = LookupMatch['params'];
type Params = { [K in keyof Given]-?: NonNullable<Given[K]> };
const PATHS: Record<LookupKind, (ids: Params, request: string | undefined) => string> = {
  EVENT: (ids) => path.event(ids.trigger_id, ids.event_id),
  DELIVERY: (ids) => path.event(ids.trigger_id, ids.event_id, { delivery: ids.delivery_id }),
  ATTEMPT: (ids) =>
    path.event(ids.trigger_id, ids.event_id, { delivery: ids.delivery_id, attempt: String(ids.attempt) }),
  RUN: (ids) => path.run(ids.function_id, ids.run_id),
  GATEWAY_CALL: (ids) => path.gatewayCall(ids.connection_id, ids.call_id),
  REJECTION: (ids) => path.trigger(ids.trigger_id, 'rejections'),
  TRIGGER: (ids) => path.trigger(ids.trigger_id),
  DESTINATION: (ids) => path.destination(ids.trigger_id, ids.destination_id),
  FUNCTION: (ids) => path.function(ids.function_id),
  CONNECTION: (ids) => path.connection(ids.connection_id),
  REPLAY: (ids) => path.replay(ids.replay_id),
  API_KEY: () => path.settings('keys'),
  MEMBER: () => path.settings('members'),
  AUDIT_ENTRY: (ids, request) => path.audit(request === undefined ? { resource: ids.resource_id } : { request }),
};

/** The page of a match. For an audit entry: the audit log of its request or of the resource it changed. */
export const pathOfMatch = ({ kind, matched, params }: LookupMatch, typed: string): string =>
  PATHS[kind](params as Params, matched === 'REQUEST_ID' ? typed.trim() : undefined);
