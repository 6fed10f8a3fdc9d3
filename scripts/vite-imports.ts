/** Replaces Vite's helper around `import()` with src/lib/fetch-then-import.ts, which can be tried again after a failure. */
import type { Plugin } from 'vite';

const HELPER = '\0vite/preload-helper.js';

/** The plugin, and what `resolveDependencies` needs: the files that an `import()` of `file` fetches, itself included. */
export function retryableImports(): { plugin: Plugin; filesOf: (file: string, needed: string[]) => string[] } {
  let isReplaced = false;
  /** Scripts that Vite removes, as they would be empty: their imports are of styles only. */
  const stylesOnly = new Set<string>();
  const plugin: Plugin = {
    name: 'retryable-imports',
    apply: 'build',
    enforce: 'pre',
    load(id) {
      if (id !== HELPER) return null;
      isReplaced = true;
      return `export { fetchThenImport as __vitePreload } from '/src/lib/fetch-then-import.ts';`;
    },
    buildEnd(error) {
      if (!error && !isReplaced) throw new Error('retryable-imports does not match the helper of this version of Vite');
    },
    generateBundle: {
      order: 'pre',
      handler(_options, bundle) {
        for (const file of Object.values(bundle))
          if (file.type === 'chunk' && file.moduleIds.every((id) => id.endsWith('.css'))) stylesOnly.add(file.fileName);
      },
    },
  };
  return { plugin, filesOf: (file, needed) => (stylesOnly.has(file) ? needed : [...new Set([file, ...needed])]) };
}
