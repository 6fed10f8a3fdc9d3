import type { Wires } from '../../lib/wire/wires.ts';
import type { Lease } from '../../store/delivery-queue.ts';
import type { Target } from '../../store/destinations.ts';
import type { Services } from '../context.ts';
import type { RunCause } from '../run-record.ts';
import { callInside } from './call-inside.ts';
import { makeRequest, type Outgoing, Unrenderable } from './request.ts';
import { type Answer, sendOut, troubleOf } from './send.ts';

/** What goes out: an event, or a trial of one. */
export type Message = Pick<Lease, 'account_id' | 'trigger_id' | 'event_id' | 'webhook_id' | 'received_at' | 'payload'>;

/** One request and its answer. What goes wrong is in the answer; `outgoing` is missing when nothing could be made. */
export async function exchange(
  services: Services,
  wires: Wires,
  message: Message,
  target: Target,
  cause: RunCause | null,
): Promise<{ outgoing: Outgoing | undefined; answer: Answer }> {
  const nobody = { response: null, run_id: null, function_id: null };
  const { attemptTimeoutMs } = services.settings;
  let outgoing: Outgoing | undefined;
  try {
    outgoing = makeRequest(services, target, message);
    const { label } = outgoing;
    const answer: Answer = label
      ? await callInside(services, { account_id: message.account_id, cause }, label, outgoing, attemptTimeoutMs)
      : await sendOut(wires, outgoing, attemptTimeoutMs);
    return { outgoing, answer };
  } catch (error) {
    if (error instanceof Unrenderable) {
      const trouble = { reason: 'TEMPLATE_ERROR' as const, message: error.message };
      return { outgoing, answer: { ...nobody, trouble } };
    }
    services.log.error({ err: error, event_id: message.event_id }, 'an attempt failed inside the service');
    return { outgoing, answer: { ...nobody, trouble: troubleOf(error) } };
  }
}
