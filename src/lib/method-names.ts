import type { AuthMethod } from '../../contract/states.ts';

/** Authentication methods as the documentation of apps calls them; the API has the keys. */
export const METHOD_NAMES: Readonly<Record<AuthMethod, string>> = {
  API_KEY: 'API key',
  BASIC: 'Basic',
  JWT: 'JWT',
  OAUTH1: 'OAuth 1',
  OAUTH2: 'OAuth 2',
  MCP: 'MCP',
};

/** The name of a method in a URL; unknown text stays as it is. */
export const methodName = (method: string): string =>
  Object.hasOwn(METHOD_NAMES, method) ? METHOD_NAMES[method as AuthMethod] : method;
