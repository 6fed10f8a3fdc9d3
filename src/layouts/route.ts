import type { LazyRouteFunction, RouteObject, ShouldRevalidateFunction } from 'react-router';
import { PanelError } from './errors.tsx';

/** Filters are in the query of the URL and the page fetches for them itself; only a new path runs the loader. */
const shouldRevalidate: ShouldRevalidateFunction = ({ currentUrl, nextUrl }) =>
  currentUrl.pathname !== nextUrl.pathname || currentUrl.href === nextUrl.href;

type Lazy = LazyRouteFunction<RouteObject>;

/** The page that is shown first: all it looks like is in index.css. */
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

/** A page that is shown as a panel of the page around it, and whose errors stay in the panel. */
export const panel = (lazy: Lazy) => ({ ...page(lazy), ErrorBoundary: PanelError });
