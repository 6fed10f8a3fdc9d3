/** Who imports whom, and the rules about it that the linter cannot say. Tests hold the repository against them. */
import { dirname, join } from 'node:path';

/** A path within the repository, and what the file imports: every `from` and `import '…'`, types too. */
export type Imports = ReadonlyMap<string, readonly string[]>;

/** The server's folders, each of which may import those before it and nothing of those after it. */
export const ORDER = [
  'lib',
  'platform',
  'accounts',
  'runtime',
  'connections',
  'functions',
  'search',
  'gateway',
  'deliveries',
  'triggers',
  'overview',
  'maintenance',
  'http',
];
/** Product files side by side. The catalogue is a list of apps, a file each. */
const MOST_FILES = 25;
const LISTS = ['server/connections/apps/catalogue'];

/** Reads the relative imports of files. Loading on demand (`import('./X.tsx')`) is none: it may lead back. */
export function readImports(files: ReadonlyMap<string, string>): Imports {
  return new Map(
    [...files].map(([path, text]) => [
      path,
      [...text.matchAll(/(?:^|\n|;)\s*(?:(?:import|export)\b[^'";]*?\bfrom\s*|import\s*)'(\.{1,2}\/[^']+)'/g)].map(
        (match) => join(dirname(path), match[1] ?? ''),
      ),
    ]),
  );
}

/** `server/functions/runs/runs.ts` → functions; undefined of what lies outside the server's folders. */
const folderOf = (path: string): string | undefined => /^server\/([^/]+)\//.exec(path)?.[1];
const isTest = (path: string): boolean => /\.test\.tsx?$|^server\/(?:.+\/)?test\/|-support\.ts$/.test(path);

/** Imports of a folder by one that precedes it in `ORDER`. */
export function againstOrder(imports: Imports): string[] {
  return [...imports]
    .filter(([path]) => !isTest(path) && folderOf(path) !== undefined)
    .flatMap(([path, targets]) => {
      const own = ORDER.indexOf(folderOf(path) ?? '');
      return targets.filter((target) => isAgainst(own, folderOf(target))).map((target) => `${path} → ${target}`);
    });
}

function isAgainst(own: number, folder: string | undefined): boolean {
  return folder !== undefined && folder !== 'test' && (own === -1 || ORDER.indexOf(folder) > own);
}

/** Files that import each other, directly or by way of others. */
export function circles(imports: Imports): string[][] {
  const order = new Map<string, number>();
  const open: string[] = [];
  const found: string[][] = [];
  // Tarjan's strongly connected components
  function visit(path: string): number {
    const number = order.size;
    order.set(path, number);
    let low = number;
    open.push(path);
    for (const target of imports.get(path) ?? []) {
      if (!imports.has(target)) continue;
      if (!order.has(target)) low = Math.min(low, visit(target));
      else if (open.includes(target)) low = Math.min(low, order.get(target) ?? low);
    }
    if (low === number) {
      const component = open.splice(open.indexOf(path));
      if (component.length > 1) found.push(component);
    }
    return low;
  }
  for (const path of imports.keys()) if (!order.has(path)) visit(path);
  return found;
}

/** Folders with more product files side by side than a reader can survey. */
export function crowded(paths: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const path of paths) {
    if (isTest(path) || !/^(server|src|contract|e2e)\//.test(path)) continue;
    counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  }
  return [...counts]
    .filter(([folder, count]) => count > MOST_FILES && !LISTS.includes(folder))
    .map(([folder, count]) => `${folder}: ${count}`);
}
