/**
 * Removes the summaries of the operations (contract/routes.ts) from the build, because only the audit log displays
 * them. Modules that import `routes.ts?worded` get the file with its summaries.
 */
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const ROUTES = fileURLToPath(new URL('../contract/routes.ts', import.meta.url));
/** Matches `get('/apps', 'Apps that can be connected')`: the path, then the summary. */
const SUMMARY = /(\b(?:get|post|put|patch|del)\(\s*(?:'[^']*'|`[^`]*`|\w+),\s*)'(?:[^'\\]|\\.)*'/g;

export function slimRoutes(): Plugin {
  return {
    name: 'slim-routes',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      if (id !== ROUTES) return null;
      const slim = code.replace(SUMMARY, "$1''");
      if (slim === code) throw new Error('slim-routes does not match the source of contract/routes.ts');
      return { code: slim, map: null };
    },
  };
}
