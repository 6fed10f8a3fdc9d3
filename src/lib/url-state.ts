import { useCallback, useContext, useMemo } from 'react';
import { UNSAFE_DataRouterContext as DataRouterContext, type RouterState, useSearchParams } from 'react-router';
import { type Defaults, type Patch, readState, type State, writeState } from './search-params.ts';

export type SetUrlState<D extends Defaults> = (patch: Patch<D>, options?: { push?: boolean }) => void;

/**
 * State in the URL: reload, Back and a copied link restore it. `defaults` must be a module constant. A change replaces
 * the history entry, because typing would flood the history; with `push`, Back undoes it.
 */
export function useUrlState<D extends Defaults>(defaults: D): readonly [State<D>, SetUrlState<D>] {
  const [params, setParams] = useSearchParams();
  const state = useMemo(() => readState(params, defaults), [params, defaults]);
  const router = useContext(DataRouterContext)?.router;
  const set = useCallback<SetUrlState<D>>(
    (patch, { push = false } = {}) =>
      setParams((rendered) => writeState(newestParams(router) ?? rendered, defaults, patch), {
        replace: !push,
        preventScrollReset: true,
      }),
    [setParams, defaults, router],
  );
  return [state, set];
}

/** With a change of this page's parameters that is not rendered yet, which the next change must not undo. */
function newestParams(router: { readonly state: RouterState } | undefined): URLSearchParams | undefined {
  if (router === undefined) return undefined;
  const { location, navigation } = router.state;
  const next = navigation.location?.pathname === location.pathname ? navigation.location : location;
  return new URLSearchParams(next.search);
}
