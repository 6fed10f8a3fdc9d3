import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { ApiError } from '../../../api/api-error.ts';
import { send } from '../../../api/client.ts';
import { useUnmount } from '../../../hooks/use-unmount.ts';
import { withFiles } from './body/file-bodies.ts';
import { keepable, requestHistory } from './history.ts';
import type { SendResult } from './response.ts';
import type { Outgoing, TypedRequest } from './typed-request.ts';

/** A sent request and its outcome. */
export interface Exchange {
  readonly request: Outgoing;
  readonly at: string;
  readonly answer: SendResult;
}
export type Sending =
  | { readonly state: 'nothing' | 'canceled' }
  | { readonly state: 'sending'; readonly since: number }
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
  const { mutate } = useMutation<SendResult, ApiError, { typed: TypedRequest; body: Outgoing; signal: AbortSignal }>({
    mutationKey: ['connectionRequest'],
    mutationFn: async ({ typed, body, signal }) => {
      const whole = await withFiles(typed, body);
      return send('connectionRequest', { params: { connection_id }, body: whole }, signal) as Promise<SendResult>;
    },
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
