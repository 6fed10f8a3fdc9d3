/**
 * Every page of the console knows where the operations lie (contract/routes.ts); what each is called in words only the
 * audit log says. The build leaves the words out, except for importers of `routes.ts?worded`.
 */
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const ROUTES = fileURLToPath(new URL('../contract/routes.ts', import.meta.url));
/** `get('/apps', 'Apps that can be connected')`: the path, then the words. */
const WORDS = /(\b(?:get|post|put|patch|del)\(\s*(?:'[^']*'|`[^`]*`|\w+),\s*)'(?:[^'\\]|\\.)*'/g;

export function slimRoutes(): Plugin {
  return {
    name: 'slim-routes',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      if (id !== ROUTES) return null;
      const slim = code.replace(WORDS, "$1''");
      if (slim === code) throw new Error('contract/routes.ts is written in another way than slim-routes reads it');
      return { code: slim, map: null };
    },
  };
}
