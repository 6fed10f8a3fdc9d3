/**
 * Returns the token of a one-time link and removes it from the address, so that the browser's history, a copied address
 * and referrers don't have it. The state of the history entry keeps it for a reload. `#token=…` never reaches a server;
 * older links and connect links have `?token=…`.
 */
export function takeLinkToken(): string {
  const url = new URL(location.href);
  const inFragment = new URLSearchParams(url.hash.slice(1)).get('token');
  const token = inFragment ?? url.searchParams.get('token');
  if (!token) return keptToken(history.state);
  if (inFragment !== null) url.hash = '';
  url.searchParams.delete('token');
  history.replaceState({ ...history.state, linkToken: token }, '', url.pathname + url.search + url.hash);
  return token;
}

const keptToken = (state: unknown): string => {
  const token: unknown = typeof state === 'object' && state !== null ? Reflect.get(state, 'linkToken') : undefined;
  return typeof token === 'string' ? token : '';
};
