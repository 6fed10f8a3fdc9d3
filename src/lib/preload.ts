import { type LoaderFunctionArgs, matchRoutes, type RouteObject } from 'react-router';

/**
 * Starts what a link leads to before it is pressed: the chunk of the page and, as loaders only fill the query cache,
 * its data. Failures are ignored here: the real navigation meets them again and shows them.
 */
let routes: RouteObject[] = [];

/** Shorter than this over a link, and the pointer was only passing. */
export const INTENT_MS = 70;
/** The focus rests longer: a key held down moves it through a list. */
export const FOCUS_INTENT_MS = 300;

/** Called once, with the site's routes. */
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
