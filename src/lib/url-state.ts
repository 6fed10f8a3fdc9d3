import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { type Defaults, type Patch, readState, type State, writeState } from './search-params.ts';

export type SetUrlState<D extends Defaults> = (patch: Patch<D>, options?: { push?: boolean }) => void;

/**
 * State in the URL: reload, Back and a copied link restore it. `defaults` must be a module constant. A change replaces
 * the history entry, because typing would flood the history; with `push`, Back undoes it.
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
