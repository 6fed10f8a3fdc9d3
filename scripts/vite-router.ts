/**
 * Removes unused parts of react-router from the build. A bundler keeps its components because they are created by calls
 * without a pure annotation and are assigned display names, so every first load would include its forms, scroll
 * restoration and framework mode. Its instrumentation is unused, because no router here sets one.
 */
import type { Plugin } from 'vite';

const MODULE = /[\\/]node_modules[\\/]react-router[\\/].*\.m?js$/;
const ROUTER = /[\\/]lib[\\/]router[\\/]router\.js$/;
const NAME = /^[\w$]+\.displayName = "[^"]*";$/gm;
const MAKER = /= (React\$1\.(?:createContext|forwardRef|memo)\()/g;
const INSTRUMENTATION = /import \{([^}]*)\} from "\.\/instrumentation\.js";/;

export function slimRouter(): Plugin {
  return {
    name: 'slim-router',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      if (!MODULE.test(id)) return null;
      if (ROUTER.test(id) && !INSTRUMENTATION.test(code))
        throw new Error('slim-router does not match the source of this react-router version');
      const slim = code
        .replace(NAME, '')
        .replace(MAKER, '= /* @__PURE__ */ $1')
        .replace(INSTRUMENTATION, (all, names: string) =>
          ROUTER.test(id) ? names.replace(/\w+/g, 'const $& = () => undefined').replaceAll(',', ';') : all,
        );
      return { code: slim, map: null };
    },
  };
}
