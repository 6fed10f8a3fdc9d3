import type { LazyRouteFunction, RouteObject, ShouldRevalidateFunction } from 'react-router';
import { PanelError } from './errors.tsx';

/** Pages refetch when filters in the query string change, so loaders run only for a new path. */
const shouldRevalidate: ShouldRevalidateFunction = ({ currentUrl, nextUrl }) =>
  currentUrl.pathname !== nextUrl.pathname || currentUrl.href === nextUrl.href;

type Lazy = LazyRouteFunction<RouteObject>;

/** The first page needs only index.css. */
export const firstPage = (lazy: Lazy): { lazy: Lazy; shouldRevalidate: ShouldRevalidateFunction } => ({
  lazy,
  shouldRevalidate,
});

/** A page: `{ path: 'triggers', ...page(() => import('./pages/triggers/TriggersPage.tsx')) }`. */
export const page = (lazy: Lazy) =>
  firstPage(async () => {
    const [module] = await Promise.all([lazy(), import('../pages.css')]);
    return module;
  });

/** A page shown as a panel of its parent page. Its errors stay in the panel. */
export const panel = (lazy: Lazy) => ({ ...page(lazy), ErrorBoundary: PanelError });
