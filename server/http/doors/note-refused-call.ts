import type { IncomingMessage } from 'node:http';
import type { CallTarget } from '../../gateway/forwarding/call-target.ts';
import { badRequest, Failure } from '../../lib/failure.ts';
import type { KeyRef, Services } from '../../platform/context.ts';
import { decodeUnreserved } from '../request-path.ts';

/** The owner of a refused call. `secret`: the caller's key, which is never stored. */
export type RefusedCaller = {
  account_id: string;
  key?: KeyRef | null;
  run_id?: string;
  secret: string;
  requestId: () => string;
};

const HIDDEN = '…';

/** Records a call that the gateway refused, for the account of its caller. */
export function noteRefusedCall(
  { memory }: Services,
  req: IncomingMessage,
  { app, connection_id, rest }: CallTarget,
  { account_id, key, run_id, secret, requestId }: RefusedCaller,
  thrown: unknown,
): void {
  const mark = rest.indexOf('?');
  const path = mark < 0 ? rest : rest.slice(0, mark);
  const header = req.headers['service-connection'];
  const named = connection_id ?? (Array.isArray(header) ? header.join() : header);
  const hide = (text: string) => (text.includes(secret) || decodeUnreserved(text).includes(secret) ? HIDDEN : text);
  const failure = thrown instanceof Failure ? thrown : badRequest('Internal error.');
  memory.refusedCalls.note({
    account_id,
    run_id: run_id ?? null,
    key_id: key?.key_id ?? null,
    key_name: key?.name ?? null,
    app: app === null ? null : hide(app),
    connection_id: named === undefined ? null : named.trim().toLowerCase().slice(0, 36),
    method: req.method ?? 'GET',
    path: hide(path),
    failure: new Failure(thrown instanceof Failure ? failure.status : 500, hide(failure.message)),
    request_id: requestId(),
  });
}
