import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { type Defaults, type Patch, readState, type State, writeState } from './search-params.ts';

export type SetUrlState<D extends Defaults> = (patch: Patch<D>, options?: { push?: boolean }) => void;

/**
 * State that lives in the address bar: reload, Back and a copied link restore it. `defaults` must be a constant of the
 * module. Changes replace the entry in the history, as typing would fill it; `push` where Back should undo this one.
 */
export function useUrlState<D extends Defaults>(defaults: D): readonly [State<D>, SetUrlState<D>] {
  const [params, setParams] = useSearchParams();
  const state = useMemo(() => readState(params, defaults), [params, defaults]);
  const set = useCallback<SetUrlState<D>>(
    (patch, { push = false } = {}) =>
      setParams((now) => writeState(now, defaults, patch), { replace: !push, preventScrollReset: true }),
    [setParams, defaults],
  );
  return [state, set];
}
