import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { type ApiError, toApiError } from '../../../api/api-error.ts';
import { callWithEvents } from '../../../api/response-stream.ts';
import { useUnmount } from '../../../hooks/use-unmount.ts';
import { withFiles } from './body/file-bodies.ts';
import { keepable, requestHistory } from './history.ts';
import type { SendResult } from './response.ts';
import { type Arrived, arriving, stoppedResult } from './stream/arrived.ts';
import type { Outgoing, TypedRequest } from './typed-request.ts';

/** A sent request and its outcome. */
export interface Exchange {
  readonly request: Outgoing;
  readonly at: string;
  readonly answer: SendResult;
  /** The user stopped it: the answer is what came until then. */
  readonly isStopped?: boolean;
}
type Outcome = Pick<Exchange, 'answer' | 'isStopped'>;
export type Sending =
  | { readonly state: 'nothing' | 'canceled' }
  | { readonly state: 'sending'; readonly since: number }
  | { readonly state: 'receiving'; readonly request: Outgoing; readonly arrived: Arrived }
  | { readonly state: 'refused'; readonly error: ApiError }
  | { readonly state: 'answered'; readonly exchange: Exchange };

/** The last exchange by connection: it survives a switch to another tab. */
const lastExchanges = new Map<string, Exchange>();

/** Sends requests through a connection, one at a time, and records each in the history. */
export function useSender(connection_id: string): {
  readonly sending: Sending;
  readonly start: (typed: TypedRequest, body: Outgoing) => void;
  readonly cancel: () => void;
} {
  const kept = lastExchanges.get(connection_id);
  const [sending, setSending] = useState<Sending>(kept ? { state: 'answered', exchange: kept } : { state: 'nothing' });
  const controller = useRef<AbortController>(undefined);
  // unmounting aborts the request
  useUnmount(() => controller.current?.abort());
  const { mutate } = useMutation<Outcome, ApiError, { typed: TypedRequest; body: Outgoing; signal: AbortSignal }>({
    mutationKey: ['connectionRequest'],
    mutationFn: async ({ typed, body, signal }) => {
      const whole = await withFiles(typed, body);
      const arrival = arriving((arrived) => setSending({ state: 'receiving', request: body, arrived }));
      try {
        const input = { params: { connection_id }, body: whole };
        return { answer: await callWithEvents('connectionRequest', input, signal, arrival.onEvent) };
      } catch (thrown) {
        const arrived = arrival.soFar();
        if (!arrived) throw thrown;
        // What came before the end is kept.
        if (signal.aborted) return { answer: stoppedResult(arrived, null), isStopped: true };
        return { answer: stoppedResult(arrived, toApiError(thrown)) };
      } finally {
        arrival.end();
      }
    },
    onSuccess: (outcome, { typed, body }) => {
      const at = new Date().toISOString();
      const exchange = { request: body, at, ...outcome };
      lastExchanges.set(connection_id, exchange);
      setSending({ state: 'answered', exchange });
      const { timing, response } = outcome.answer;
      const status = response?.status ?? null;
      const kept = { id: crypto.randomUUID(), at, status, totalMs: timing.total_ms };
      requestHistory.add(connection_id, keepable(typed, kept));
    },
    onError: (error, { signal }) => setSending(signal.aborted ? { state: 'canceled' } : { state: 'refused', error }),
  });
  return {
    sending,
    start: (typed, body) => {
      controller.current = new AbortController();
      setSending({ state: 'sending', since: Date.now() });
      mutate({ typed, body, signal: controller.current.signal });
    },
    cancel: () => controller.current?.abort(),
  };
}
