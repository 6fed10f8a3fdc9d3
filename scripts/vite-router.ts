/**
 * Removes unused parts of react-router from the build. A bundler keeps its components because they are created by calls
 * without a pure annotation and are assigned display names, so every first load would include its forms, scroll
 * restoration and framework mode. Of the router, which is one function, it keeps everything: submissions, fetchers and
 * the discovery of routes are replaced by functions that do nothing or throw. Its instrumentation is unused, because no
 * router here sets one.
 */
import type { Plugin } from 'vite';

const MODULE = /[\\/]node_modules[\\/]react-router[\\/].*\.m?js$/;
const ROUTER = /[\\/]lib[\\/]router[\\/]router\.js$/;
const NAME = /^[\w$]+\.displayName = "[^"]*";$/gm;
const MAKER = /= (React\$1\.(?:createContext|forwardRef|memo)\()/g;
const INSTRUMENTATION = /import \{([^}]*)\} from "\.\/instrumentation\.js";/;
/** Warnings of mistakes in the code, which the development build prints. */
const WARNING = /\bwarning\(.*\);$/gm;

const UNUSED = 'throw new Error("This build of react-router has no forms and fetchers (scripts/vite-router.ts)");';
/** The bodies that functions of the router get. */
const BODIES: Readonly<Record<string, string>> = {
  fetch: UNUSED,
  handleAction: UNUSED,
  handleFetcherAction: UNUSED,
  handleFetcherLoader: UNUSED,
  discoverRoutes: UNUSED,
  cancelDiscoveryNavigation: UNUSED,
  patchRoutes: UNUSED,
  enableScrollRestoration: UNUSED,
  isSubmissionNavigation: 'return false;',
  normalizeNavigateOptions: 'return { path };',
  checkFogOfWar: 'return { active: false, matches: null };',
  saveScrollPosition: '',
  getSavedScrollPosition: 'return null;',
};
/** What needs a removed part. */
const REFUSED =
  /\b(?:Form|ScrollRestoration|useFetchers?|useSubmit|useActionData|useFormAction|useScrollRestoration)\b/;
const IMPORTED = /import \{([^}]*)\} from 'react-router(?:\/dom)?';/g;

export function slimRouter(): Plugin {
  return {
    name: 'slim-router',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      if (!MODULE.test(id)) {
        if (id.includes('node_modules')) return null;
        for (const [, names = ''] of code.matchAll(IMPORTED))
          if (REFUSED.test(names)) throw new Error(`slim-router removes what ${id} imports: ${names.trim()}`);
        return null;
      }
      if (ROUTER.test(id) && !INSTRUMENTATION.test(code)) throw new Error(NO_MATCH);
      const slim = code
        .replace(NAME, '')
        .replace(MAKER, '= /* @__PURE__ */ $1')
        .replace(WARNING, 'void 0;')
        .replace(INSTRUMENTATION, (all, names: string) =>
          ROUTER.test(id) ? names.replace(/\w+/g, 'const $& = () => undefined').replaceAll(',', ';') : all,
        );
      return { code: ROUTER.test(id) ? withoutUnused(slim) : slim, map: null };
    },
  };
}

const NO_MATCH = 'slim-router does not match the source of this react-router version';

/** The router with the bodies of `BODIES`. A function ends at the first closing brace with its own indentation. */
function withoutUnused(code: string): string {
  return Object.entries(BODIES).reduce((slim, [name, body]) => {
    const whole = new RegExp(`^(\\t?)((?:async )?function ${name}\\(.*\\) \\{)\\n[^]*?\\n\\1\\}$`, 'm');
    if (!whole.test(slim)) throw new Error(NO_MATCH);
    return slim.replace(whole, (_, indentation: string, head: string) => `${indentation}${head} ${body} }`);
  }, code);
}
