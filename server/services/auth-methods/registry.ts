import { type AuthMethods, typed } from './auth-method.ts';
import { basic } from './basic.ts';
import { jwt } from './jwt.ts';
import { mcp } from './mcp.ts';
import { oauth2 } from './oauth2.ts';

/** How each method is begun, finished, renewed and put into a request. */
export const authMethods: Partial<AuthMethods> = {
  API_KEY: { begin: typed },
  BASIC: basic,
  JWT: jwt,
  MCP: mcp,
  OAUTH2: oauth2,
};
