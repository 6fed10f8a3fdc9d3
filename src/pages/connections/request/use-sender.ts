import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { ApiError } from '../../../api/api-error.ts';
import { send } from '../../../api/client.ts';
import { useLeave } from '../../../hooks/use-leave.ts';
import type { Answer } from './answer.ts';
import { keepable, requestHistory } from './history.ts';
import type { Outgoing, TypedRequest } from './typed-request.ts';

/** One request that was sent, and what became of it. */
export interface Exchange {
  readonly request: Outgoing;
  readonly at: string;
  readonly answer: Answer;
}
export type Sending =
  | { readonly state: 'nothing' | 'canceled' }
  | { readonly state: 'sending'; readonly since: number }
  | { readonly state: 'refused'; readonly error: ApiError }
  | { readonly state: 'answered'; readonly exchange: Exchange };

/** What came last, by connection: a look at another tab doesn't lose it. */
const lastExchanges = new Map<string, Exchange>();

/** Sends requests through a connection, one at a time; each is remembered with what came of it. */
export function useSender(connection_id: string): {
  readonly sending: Sending;
  readonly start: (typed: TypedRequest, body: Outgoing) => void;
  readonly cancel: () => void;
} {
  const kept = lastExchanges.get(connection_id);
  const [sending, setSending] = useState<Sending>(kept ? { state: 'answered', exchange: kept } : { state: 'nothing' });
  const controller = useRef<AbortController>(undefined);
  // a user who leaves no longer waits for it
  useLeave(() => controller.current?.abort());
  const { mutate } = useMutation<Answer, ApiError, { typed: TypedRequest; body: Outgoing; signal: AbortSignal }>({
    mutationKey: ['connectionRequest'],
    mutationFn: ({ body, signal }) =>
      send('connectionRequest', { params: { connection_id }, body }, signal) as Promise<Answer>,
    onSuccess: (answer, { typed, body }) => {
      const at = new Date().toISOString();
      const exchange = { request: body, at, answer };
      lastExchanges.set(connection_id, exchange);
      setSending({ state: 'answered', exchange });
      const { total_ms } = answer.timing;
      const status = answer.response?.status ?? null;
      requestHistory.add(connection_id, keepable(typed, { id: crypto.randomUUID(), at, status, totalMs: total_ms }));
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
