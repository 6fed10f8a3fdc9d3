import { useRef, useState } from 'react';
import { type ApiError, toApiError } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import type { Reply } from '../../../api/operation.ts';
import { useUnmount } from '../../../hooks/use-unmount.ts';

type Reached = Reply<'runBisect'>['bisect'];
export interface BisectState {
  readonly steps: Reached['steps'];
  readonly status: 'idle' | 'going' | 'stopped' | Exclude<Reached['status'], 'UNFINISHED'>;
  readonly passing: number | null;
  readonly failing: number | null;
  readonly error: ApiError | undefined;
}
export interface BisectWish {
  readonly from: number;
  readonly egress: 'NONE' | 'POLICY';
}

const IDLE: BisectState = { steps: [], status: 'idle', passing: null, failing: null, error: undefined };

/** Bisects the versions one run at a time, so that each result is shown at once and the search can be stopped. */
export function useBisect(params: { function_id: string; run_id: string }, onFound: (state: BisectState) => void) {
  const [state, setState] = useState(IDLE);
  const going = useRef<AbortController>(undefined);
  useUnmount(() => going.current?.abort());

  const stop = () => {
    going.current?.abort();
    setState((was) => ({ ...was, status: 'stopped' }));
  };
  const start = async ({ from, egress }: BisectWish) => {
    going.current?.abort();
    const mine = new AbortController();
    going.current = mine;
    let now: BisectState = { ...IDLE, status: 'going' };
    setState(now);
    try {
      while (now.status === 'going') {
        const known = {
          ...(now.passing === null ? {} : { passing: now.passing }),
          ...(now.failing === null ? {} : { failing: now.failing }),
        };
        const { bisect } = await call('runBisect', { params, body: { from, egress, max_steps: 1, ...known } });
        if (mine.signal.aborted) return;
        now = {
          steps: [...now.steps, ...bisect.steps],
          status: bisect.status === 'UNFINISHED' ? 'going' : bisect.status,
          passing: bisect.passing,
          failing: bisect.failing,
          error: undefined,
        };
        setState(now);
      }
      if (now.status === 'FOUND') onFound(now);
    } catch (thrown) {
      if (!mine.signal.aborted) setState({ ...now, status: 'stopped', error: toApiError(thrown) });
    }
  };
  return { state, start, stop };
}
