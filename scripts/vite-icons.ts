/**
 * Bundles only the icons that are used, and draws them with src/ui/lucide-icon.ts: lucide-react's index makes every
 * import depend on all icons, and its component supports every spelling of an icon.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const LIBRARY = new URL('../node_modules/lucide-react/dist/esm/', import.meta.url);
const OWN_DRAWING = fileURLToPath(new URL('../src/ui/lucide-icon.ts', import.meta.url));
const IMPORT = /import \{([^}]*)\} from 'lucide-react';/g;

/** The file of each icon by name. The library exports one file under several names, old ones included. */
function iconFiles(): ReadonlyMap<string, string> {
  const list = readFileSync(new URL('lucide-react.mjs', LIBRARY), 'utf8');
  const files = new Map<string, string>();
  for (const [, names = '', file = ''] of list.matchAll(/export \{([^}]*)\} from '(\.\/icons\/[^']+)';/g))
    for (const [, name = ''] of names.matchAll(/default as (\w+)/g)) files.set(name, file);
  return files;
}

function direct(names: string, files: ReadonlyMap<string, string>): string {
  return names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name && !name.startsWith('type '))
    .map((name) => {
      const [icon = '', alias = icon] = name.split(/\s+as\s+/);
      const file = files.get(icon);
      if (!file) throw new Error(`lucide-react has no icon ${icon}`);
      return `import ${alias} from ${JSON.stringify(fileURLToPath(new URL(file, LIBRARY)))};`;
    })
    .join(' ');
}

export function slimIcons(): Plugin {
  const files = iconFiles();
  return {
    name: 'slim-icons',
    apply: 'build',
    enforce: 'pre',
    resolveId: (source, importer) =>
      source.endsWith('/createLucideIcon.mjs') && importer?.includes('/icons/') ? OWN_DRAWING : null,
    transform: (code, id) =>
      !id.includes('node_modules') && code.includes("from 'lucide-react'")
        ? { code: code.replace(IMPORT, (_, names: string) => direct(names, files)), map: null }
        : null,
  };
}
