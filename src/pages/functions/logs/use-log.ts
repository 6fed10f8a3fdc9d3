import { useCallback, useEffect, useMemo, useReducer, useState, useSyncExternalStore } from 'react';
import { type ApiError, toApiError } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { type FollowState, followLog, type LogView, PAGE } from './follow-log.ts';
import { createLogBuffer, type LogLine } from './log-buffer.ts';
import { pacedFrames } from './paced.ts';

export interface Log {
  readonly lines: readonly LogLine[];
  readonly state: FollowState | 'still';
  /** The first read is complete, even if it returned no lines. */
  readonly known: boolean;
  readonly error: ApiError | undefined;
  readonly hasOlder: boolean;
  readonly hasNewer: boolean;
  readonly loadOlder: () => Promise<void>;
  readonly loadNewer: () => Promise<void>;
  /** Reloads everything. */
  readonly retry: () => void;
}

/** `null` is the end of the log; undefined means not loaded yet. */
type Edge = string | null | undefined;

/** The lines of a view: the newest and a live tail, or with `at` the lines around a time, without a tail. */
export function useLog({ functionId, filter_pattern, version, level, show }: LogView, at: number | undefined): Log {
  const buffer = useMemo(() => createLogBuffer(pacedFrames()), []);
  const lines = useSyncExternalStore(buffer.subscribe, buffer.get, buffer.get);
  const [state, setState] = useState<Log['state']>('connecting');
  const [error, setError] = useState<ApiError>();
  const [older, setOlder] = useState<Edge>();
  const [newer, setNewer] = useState<Edge>();
  const [tries, retry] = useReducer((count: number) => count + 1, 0);
  const view = useMemo(
    () => ({ functionId, filter_pattern, version, level, show }),
    [functionId, filter_pattern, version, level, show],
  );

  const read = useCallback(
    (order: 'oldest' | 'newest', edge: Edge, limit = PAGE) => {
      const { functionId: function_id, ...filter } = view;
      const window = at === undefined ? {} : order === 'oldest' ? { start_time: at } : { end_time: at };
      const query = { ...filter, ...window, order, limit, next_token: edge ?? undefined };
      return call('functionLogList', { params: { function_id }, query });
    },
    [view, at],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: a retry reads again
  useEffect(() => {
    buffer.clear();
    setError(undefined);
    setOlder(undefined);
    setNewer(undefined);
    if (at === undefined) {
      return followLog(view, buffer, {
        onState: setState,
        onError: setError,
        onRead: (token) => {
          setError(undefined);
          setOlder(token);
        },
      });
    }
    setState('still');
    let stopped = false;
    Promise.all([read('newest', undefined), read('oldest', undefined)]).then(
      ([before, after]) => {
        if (stopped) return;
        // added together, or the first response would be dropped for exceeding the limit
        buffer.add([...before.events, ...after.events]);
        setOlder(before.next_token);
        setNewer(after.next_token);
      },
      (thrown: unknown) => stopped || setError(toApiError(thrown)),
    );
    return () => {
      stopped = true;
    };
  }, [view, at, buffer, read, tries]);

  const load = (order: 'oldest' | 'newest', edge: Edge, set: (edge: Edge) => void) => async () => {
    try {
      const page = await read(order, edge, 1000);
      buffer.add(page.events);
      set(page.next_token);
    } catch (thrown) {
      setError(toApiError(thrown));
    }
  };
  return {
    lines,
    state,
    known: older !== undefined,
    error,
    hasOlder: typeof older === 'string',
    hasNewer: typeof newer === 'string',
    loadOlder: load('newest', older, setOlder),
    loadNewer: load('oldest', newer, setNewer),
    retry,
  };
}
