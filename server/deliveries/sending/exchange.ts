import type { RunCause } from '../../functions/runs/run-record.ts';
import type { Services } from '../../platform/context.ts';
import type { Target } from '../store/destinations/destinations.ts';
import type { ShownRequest } from '../store/queue/attempts.ts';
import { Unrenderable } from '../targets/message-body.ts';
import { resultOf, type SendResult, type Trouble, troubleOf } from '../targets/result.ts';
import type { Message, Outgoing } from '../targets/target.ts';
import { requestFor, type Senders } from '../targets/targets.ts';

/** Builds one request and sends it. Errors are part of the result; `request` is missing if none could be built. */
export async function exchange(
  services: Services,
  senders: Senders,
  message: Message,
  target: Target,
  cause: RunCause | null,
): Promise<{ request: ShownRequest | undefined; result: SendResult }> {
  let outgoing: Outgoing | undefined;
  let result: SendResult;
  try {
    const made = await requestFor(services, target, message);
    outgoing = made.outgoing;
    result = await senders.of(made.kind).send(outgoing, message.account_id, cause);
  } catch (error) {
    result = resultOf(null, faultOf(services, message, error));
  }
  return { request: outgoing?.shown, result };
}

function faultOf({ log }: Services, { event_id }: Message, error: unknown): Trouble {
  if (error instanceof Unrenderable) return { reason: 'TEMPLATE_ERROR', message: error.message };
  log.error({ err: error, event_id }, 'attempt failed with an internal error');
  return troubleOf(error);
}
