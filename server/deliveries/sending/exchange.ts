import type { Services } from '../../platform/context.ts';
import type { Target } from '../store/destinations/destinations.ts';
import type { ShownRequest } from '../store/queue/attempts.ts';
import { Unrenderable } from '../targets/message-body.ts';
import { resultOf, type SendResult, type Trouble, troubleOf } from '../targets/result.ts';
import type { Message } from '../targets/target.ts';
import { type Made, requestFor, type Senders, type Transforming, unsentBecause } from '../targets/targets.ts';
import type { TransformRun } from '../transforms/transform.ts';

export type Exchange = {
  /** Missing if none could be built. */
  request: ShownRequest | undefined;
  result: SendResult;
  /** The run that transformed the request. */
  transform: TransformRun | null;
  /** The transformation returned null: nothing was sent, and there is no result. */
  isSkipped: boolean;
};

/** Builds one request, transforms it and sends it. Errors are part of the result. */
export async function exchange(
  services: Services,
  senders: Senders,
  message: Message,
  target: Target,
  transforming: Transforming,
): Promise<Exchange> {
  let made: Made | undefined;
  let result: SendResult;
  try {
    made = await requestFor(services, target, message, transforming);
    const { kind, outgoing, transformed } = made;
    result = outgoing
      ? await senders.of(kind).send(outgoing, message.account_id, transforming.cause)
      : resultOf(null, unsentBecause(transformed));
  } catch (error) {
    result = resultOf(null, faultOf(services, message, error));
  }
  return {
    request: made?.outgoing?.shown,
    result,
    transform: made?.transformed?.run ?? null,
    isSkipped: made?.transformed?.transformed.outcome === 'SKIPPED',
  };
}

function faultOf({ log }: Services, { event_id }: Message, error: unknown): Trouble {
  if (error instanceof Unrenderable) return { reason: 'TEMPLATE_ERROR', message: error.message };
  log.error({ err: error, event_id }, 'attempt failed with an internal error');
  return troubleOf(error);
}
