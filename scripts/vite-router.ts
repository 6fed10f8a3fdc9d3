/**
 * Leaves out of the build what nothing uses of react-router. Its components are made by calls that a bundler has to
 * keep, and have names for developer tools: so its forms, scroll restoration and framework mode came with every first
 * load. Its instrumentation is only for routers that are given one, and no router of ours is.
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
        throw new Error('react-router is written in another way than slim-router reads it');
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
