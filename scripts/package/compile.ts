/**
 * Compiles the service and the scripts of operators to JavaScript, as Node runs no TypeScript of installed packages.
 * The files keep their places, so that each finds its worker, its program or its data beside it.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { type Reference, referencesOf } from './references.ts';

const MIGRATIONS = 'server/platform/database/migrations';
/** Data that the service reads by names which are not literals in its code. */
const DATA = /\.(wasm|py|gz)$/;

export type Compiled = {
  /** The files by path, such as `server/main.js`, with what they refer to. */
  files: Map<string, { text: string; references: Reference[] }>;
  /** What they import of packages: `pg`, `hono/compress`. */
  imports: Set<string>;
  /** The data files in the same folders. */
  data: string[];
};

/** Compiles everything that these files reach: imports, workers and programs. The roots are paths such as `server/main.ts`. */
export function compile(root: string, folder: string, roots: string[]): Compiled {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const config = join(root, 'scripts/package/tsconfig.json');
  execFileSync(process.execPath, [tsc, '-p', config, '--outDir', folder], { stdio: 'inherit' });
  const migrations = readdirSync(join(folder, MIGRATIONS)).map((name) => `${MIGRATIONS}/${name}`);
  const files: Compiled['files'] = new Map();
  const imports = new Set<string>();
  const waiting = [...roots.map(compiledName), ...migrations];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (files.has(path)) continue;
    const text = readFileSync(join(folder, path), 'utf8');
    const references = referencesOf(text);
    files.set(path, { text, references });
    for (const { kind, target } of references) {
      if (kind === 'file' || target.startsWith('.')) {
        if (/\.[jt]s$/.test(target)) waiting.push(compiledName(posix.join(posix.dirname(path), target)));
      } else if (!target.startsWith('node:')) imports.add(target);
    }
  }
  const folders = new Set([...files.keys()].map((path) => dirname(path)));
  const data = [...folders].flatMap((each) =>
    readdirSync(join(root, each))
      .filter((name) => DATA.test(name))
      .map((name) => `${each}/${name}`),
  );
  return { files, imports, data };
}

/** Writes the compiled files and the data. `vendored` is the path of the file that has a package's exports. */
export function write(root: string, folder: string, { files, data }: Compiled, vendored: Map<string, string>): void {
  for (const [path, { text, references }] of files) {
    let written = text;
    // From the end, so that the places before stay right.
    for (const { kind, target, start, end } of references.toSorted((a, b) => b.start - a.start)) {
      const vendor = kind === 'import' ? vendored.get(target) : undefined;
      const replaced = vendor === undefined ? compiledName(target) : pathFrom(path, vendor);
      written = written.slice(0, start) + JSON.stringify(replaced) + written.slice(end);
    }
    put(join(folder, path), written);
  }
  for (const path of data) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    copyFileSync(join(root, path), join(folder, path));
  }
}

/** References to files that are not in the folder: `server/a.js → ./b.txt`. */
export function missingFiles(folder: string, { files }: Compiled): string[] {
  return [...files].flatMap(([path, { references }]) =>
    references
      .filter(({ kind, target }) => (kind === 'file' || target.startsWith('.')) && /\.\w+$/.test(target))
      .filter(({ target }) => !existsSync(join(folder, posix.join(posix.dirname(path), compiledName(target)))))
      .map(({ target }) => `${path} → ${target}`),
  );
}

const compiledName = (path: string): string => path.replace(/\.ts$/, '.js');

const pathFrom = (file: string, target: string): string => {
  const path = relative(dirname(file), target);
  return path.startsWith('.') ? path : `./${path}`;
};

function put(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
