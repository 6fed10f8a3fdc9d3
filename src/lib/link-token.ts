/**
 * Returns the token of a one-time link and removes it from the address, so that the browser's history, a copied address
 * and referrers don't have it. The tab keeps it for a reload. `#token=…` never reaches a server; older links and connect
 * links have `?token=…`.
 */
export function takeLinkToken(page: string): string {
  const url = new URL(location.href);
  const inFragment = new URLSearchParams(url.hash.slice(1)).get('token');
  const token = inFragment ?? url.searchParams.get('token');
  if (!token) return stored(page, (storage, name) => storage.getItem(name)) ?? '';
  stored(page, (storage, name) => storage.setItem(name, token));
  if (inFragment !== null) url.hash = '';
  url.searchParams.delete('token');
  history.replaceState(history.state, '', url.pathname + url.search + url.hash);
  return token;
}

/** Forgets the token: the link was used. */
export const dropLinkToken = (page: string): void => {
  stored(page, (storage, name) => storage.removeItem(name));
};

/** A browser may have no storage: then a reload needs the link again. */
function stored<T>(page: string, use: (storage: Storage, name: string) => T): T | undefined {
  try {
    return use(sessionStorage, `link-token:${page}`);
  } catch {
    return undefined;
  }
}
