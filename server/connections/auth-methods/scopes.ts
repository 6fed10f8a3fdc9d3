/** Scopes that describe the sign-in and the refresh token, which many providers leave out of their response. */
const UNNAMED = new Set(['openid', 'profile', 'email', 'offline_access', 'offline', 'refresh_token']);

/**
 * The requested scopes that a token response lacks (RFC 6749, section 5.1). A response without scopes grants all of
 * them. Some providers shorten a scope that is a URL to its last part, so only that part is compared.
 */
export function missingScopes(wanted: readonly string[], granted: unknown): string[] {
  if (typeof granted !== 'string' || granted.trim() === '') return [];
  const names = new Set(granted.split(/[\s,]+/).map(nameOf));
  return wanted.filter((scope) => !UNNAMED.has(scope) && !names.has(nameOf(scope)));
}

const nameOf = (scope: string) => scope.split('/').at(-1)?.toLowerCase() ?? '';
