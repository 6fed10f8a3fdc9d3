/**
 * Removes the summaries of the operations (contract/routes.ts) from the build, because only the audit log displays
 * them. Modules that import `routes.ts?worded` get the file with its summaries. Also removes what only the server reads:
 * kinds of replies and limits of bodies.
 */
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const ROUTES = fileURLToPath(new URL('../contract/routes.ts', import.meta.url));
/** Matches `get('/apps', 'Apps that can be connected')`: the path, then the summary. */
const SUMMARY = /(\b(?:get|post|put|patch|del)\(\s*(?:'[^']*'|`[^`]*`|\w+),\s*)'(?:[^'\\]|\\.)*'/g;
/** Matches `, { bodyLimit: 'code' }` of a route, and the defaults of these fields, a line each. */
const SERVER_ONLY = /, \{\s+(?:bodyLimit: 'code'|(?:stream|alsoStream|file): true),?\s+\}/g;
const SERVER_DEFAULTS = /^ +(?:(?:stream|alsoStream|file): false|bodyLimit: 'usual'),\n/gm;

export function slimRoutes(): Plugin {
  return {
    name: 'slim-routes',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      if (id !== ROUTES) return null;
      const wordless = code.replace(SUMMARY, "$1''");
      const slim = wordless.replace(SERVER_ONLY, '').replace(SERVER_DEFAULTS, '');
      if (wordless === code || slim === wordless)
        throw new Error('slim-routes does not match the source of contract/routes.ts');
      return { code: slim, map: null };
    },
  };
}
