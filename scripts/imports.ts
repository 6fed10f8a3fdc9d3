/** The import graph, and the rules about it that the linter cannot express. house.test.ts checks them. */
import { dirname, join } from 'node:path';

/** The imports of each file, by path within the repository: every `from` and `import '…'`, type imports included. */
export type Imports = ReadonlyMap<string, readonly string[]>;

/** The server's folders. Each may import from the folders before it, never from those after it. */
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
  'problems',
  'conditions',
  'overview',
  'maintenance',
  'http',
  'processes',
];
/** The maximum number of product files in a folder. The catalogue has one file for each app. */
const MAX_FILES = 25;
const UNLIMITED = ['server/connections/apps/catalogue', 'server/platform/database/migrations'];

/** Reads the relative imports of files. Dynamic imports (`import('./X.tsx')`) do not count: they may form cycles. */
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

/** `server/functions/runs/runs.ts` → functions; undefined outside the server's folders. */
const folderOf = (path: string): string | undefined => /^server\/([^/]+)\//.exec(path)?.[1];
const isTest = (path: string): boolean => /\.test\.tsx?$|^server\/(?:.+\/)?test\/|-support\.ts$/.test(path);

/** Imports from a folder that comes later in `ORDER`. */
export function orderViolations(imports: Imports): string[] {
  return [...imports]
    .filter(([path]) => !isTest(path) && folderOf(path) !== undefined)
    .flatMap(([path, targets]) => {
      const own = ORDER.indexOf(folderOf(path) ?? '');
      return targets.filter((target) => isViolation(own, folderOf(target))).map((target) => `${path} → ${target}`);
    });
}

function isViolation(own: number, folder: string | undefined): boolean {
  return folder !== undefined && folder !== 'test' && (own === -1 || ORDER.indexOf(folder) > own);
}

/** Groups of files that import each other, directly or indirectly. */
export function importCycles(imports: Imports): string[][] {
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

/** Folders with more than MAX_FILES product files. */
export function crowdedFolders(paths: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const path of paths) {
    if (isTest(path) || !/^(server|src|contract|e2e)\//.test(path)) continue;
    counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  }
  return [...counts]
    .filter(([folder, count]) => count > MAX_FILES && !UNLIMITED.includes(folder))
    .map(([folder, count]) => `${folder}: ${count}`);
}
