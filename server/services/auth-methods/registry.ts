import { type AuthMethods, typed } from './auth-method.ts';
import { oauth2 } from './oauth2.ts';

/** How each method is begun, finished, renewed and put into a request. */
export const authMethods: Partial<AuthMethods> = {
  API_KEY: { begin: typed },
  BASIC: { begin: typed },
  OAUTH2: oauth2,
};
