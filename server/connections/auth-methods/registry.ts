import type { AuthMethods } from './auth-method.ts';
import { basic } from './basic.ts';
import { jwt } from './jwt.ts';
import { apiKey } from './login.ts';
import { mcp } from './mcp.ts';
import { oauth1 } from './oauth1.ts';
import { oauth2 } from './oauth2.ts';

/** The implementation of each method. */
export const authMethods: AuthMethods = {
  API_KEY: apiKey,
  BASIC: basic,
  JWT: jwt,
  MCP: mcp,
  OAUTH1: oauth1,
  OAUTH2: oauth2,
};
