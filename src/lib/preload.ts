import { type LoaderFunctionArgs, matchRoutes, type RouteObject } from 'react-router';

/**
 * Preloads the target of a link: the chunk of the page and its data, because loaders only fill the query cache.
 * Failures are ignored here; the navigation itself reports them.
 */
let routes: RouteObject[] = [];

/** The pointer must rest on a link for this long. */
export const INTENT_MS = 70;
/** Longer for the focus, because a key held down moves it through a list. */
export const FOCUS_INTENT_MS = 300;

/** Sets the routes. Called once. */
export function preloadFrom(site: RouteObject[]): void {
  routes = site;
}

type Loader = (args: Pick<LoaderFunctionArgs, 'params' | 'request'>) => unknown;

export async function preload(href: string): Promise<void> {
  const url = new URL(href, window.location.href);
  const matches = matchRoutes(routes, url.pathname) ?? [];
  const request = new Request(url);
  await Promise.allSettled(
    matches.map(async ({ route, params }) => {
      const module = typeof route.lazy === 'function' ? await route.lazy() : route;
      const load = module.loader;
      if (typeof load === 'function') await (load as Loader)({ params, request });
    }),
  );
}
