/** Provides esbuild with the files of a function and of its packages, from memory. */
import os from 'node:os';
import path from 'node:path/posix';
import threads from 'node:worker_threads';
import type * as esbuild from 'esbuild';
import { LOCK_FILE, type PackageTree } from '../packages/packages.ts';
import {
  isModule,
  isPure,
  type PackageFile,
  resolveBare,
  resolveInPackage,
  type Way,
} from '../packages/resolve-package.ts';
import { resolveImport } from './resolve-import.ts';
import type { Tsconfig } from './tsconfig.ts';

const OWN = 'function';
const PACKAGE = 'package';
const MISSING = 'missing';
const DISK = 'file';
/** A module whose named exports the sandbox cannot replace: they are read from its default export. */
const OS = 'node:os';
const OS_NAMES = Object.keys(os).filter((name) => name !== 'default');
/** Excludes threads, which the sandbox does not have. */
const THREADS = 'node:worker_threads';
const THREADS_NAMES = Object.keys(threads).filter((name) => name !== 'default' && name !== 'Worker');
/** esbuild treats CommonJS like Node does if the name of the importing file says that it is a module. */
const MODULE = '.mjs';
const LOADERS: Record<string, esbuild.Loader> = {
  '.ts': 'ts',
  '.mts': 'ts',
  '.cts': 'ts',
  '.tsx': 'tsx',
  '.js': 'js',
  '.mjs': 'js',
  '.cjs': 'js',
  '.jsx': 'jsx',
  '.json': 'json',
};
const PACKAGE_LOADERS: Record<string, esbuild.Loader> = { ...LOADERS, '.wasm': 'binary' };
/**
 * The folder in which esbuild assumes every file. It resolves an import of a computed path, such as `./${name}.json`,
 * on disk, by default from the service's folder. This folder does not exist, and has more levels than such a path can
 * climb.
 */
const NOWHERE = `/${'-/'.repeat(500)}`;
const OPEN_PATH = /^Could not resolve (import|require)\("(\.\.?[/\\].*\*.*)"\)$/s;
const LATE = new Set<esbuild.ImportKind>(['require-call', 'require-resolve', 'dynamic-import']);

export type ModuleFiles = {
  plugin: esbuild.Plugin;
  /** Built-in modules that CommonJS requires; filled by the build. */
  required: ReadonlySet<string>;
  /** Returns the name of a function's file from its name in esbuild's output. */
  nameOf(file: string): string;
  /** Lets a computed import of a package fail at run time instead of the build; returns whether it is a new one. */
  leaveOpen(error: esbuild.Message): boolean;
};

/** Rewrites esbuild's error for such an import in a function's file. */
export const plainText = (text: string): string =>
  text.replace(
    OPEN_PATH,
    (_, how: string, pattern: string) =>
      `${how}() of a path computed at run time ("${pattern}") finds no file; import each file by its name`,
  );

export function moduleFiles(
  files: ReadonlyMap<string, string>,
  tree: PackageTree,
  { fileOf }: Pick<Tsconfig, 'fileOf'>,
): ModuleFiles {
  const paths = new Set(files.keys());
  const required = new Set<string>();
  const own = new Map<string, string>();
  const foreign = new Map<string, PackageFile>();
  const open = new Map<string, Set<string>>();

  const ownName = (file: string) => {
    const name = /\.[jt]sx?$/.test(file) && isOwnModule(file, files) ? file + MODULE : file;
    own.set(name, file);
    return name;
  };
  const foreignName = (file: PackageFile) => {
    const plain = `${file.one.dir}/${file.inner}`;
    const name = file.inner.endsWith('.js') && isModule(file) ? plain + MODULE : plain;
    foreign.set(name, file);
    return name;
  };

  const resolve = async (args: esbuild.OnResolveArgs): Promise<esbuild.OnResolveResult> => {
    const { path: specifier, importer, kind, namespace } = args;
    if (kind === 'entry-point') return { path: ownName(specifier), namespace: OWN };
    const way: Way = kind === 'require-call' || kind === 'require-resolve' ? 'require' : 'import';
    const from = namespace === PACKAGE ? foreign.get(importer) : undefined;
    const found = from
      ? await resolveInPackage(specifier, from, tree, way)
      : (mapped(specifier) ?? resolveImport(specifier, own.get(importer) ?? importer, paths));
    const met = 'bare' in found ? await bare(found.bare, way) : found;
    if ('builtin' in met) {
      if (met.builtin === OS && way === 'import' && namespace !== OS) return { path: OS, namespace: OS };
      if (met.builtin === THREADS && namespace !== THREADS) return { path: THREADS, namespace: THREADS };
      if (kind === 'require-call') required.add(met.builtin);
      return { path: met.builtin, external: true };
    }
    if ('refusal' in met) {
      // As in Node, a package may require a missing module, and gets an error at run time.
      if (from && LATE.has(kind)) return { path: specifier, namespace: MISSING };
      return { errors: [{ text: met.refusal }] };
    }
    if (typeof met.file === 'string') return { path: ownName(met.file), namespace: OWN };
    return { path: foreignName(met.file), namespace: PACKAGE, sideEffects: !isPure(met.file) };
  };

  const mapped = (specifier: string) => {
    const file = fileOf(specifier);
    return file === undefined ? undefined : { file };
  };

  const bare = async (specifier: string, way: Way) => {
    if (tree.lock) return resolveBare(specifier, '', tree, way);
    const named = files.has('package.json') ? `; where package.json names it, ${LOCK_FILE} is missing` : '';
    return {
      refusal: `There is no package "${specifier}"; a function has its own files, Node's built-in modules and the packages of its ${LOCK_FILE}${named}`,
    };
  };

  return {
    required,
    nameOf: (file) => `${OWN}:${ownName(file)}`,
    leaveOpen({ text, location }) {
      if (!location?.file.startsWith(`${PACKAGE}:`) || !OPEN_PATH.test(text)) return false;
      const name = location.file.slice(PACKAGE.length + 1);
      const places = open.get(name) ?? new Set();
      const place = `${location.line}:${location.column}`;
      if (places.has(place)) return false;
      open.set(name, places.add(place));
      return true;
    },
    plugin: {
      name: 'files-in-memory',
      setup(build) {
        build.onResolve({ filter: /.*/ }, resolve);
        build.onLoad({ filter: /.*/, namespace: OWN }, ({ path: name }) => {
          const file = own.get(name) ?? name;
          const loader = LOADERS[path.extname(file)] ?? 'text';
          return { contents: safe(files.get(file) ?? '', loader), loader, resolveDir: NOWHERE };
        });
        build.onLoad({ filter: /.*/, namespace: PACKAGE }, ({ path: name }) => {
          const file = foreign.get(name);
          const content = file?.one.files.get(file.inner) ?? Buffer.alloc(0);
          const extension = path.extname(file?.inner ?? '');
          if (extension === '.node')
            return { contents: throwing(`${name} is native code, which a function can't load`) };
          const loader = PACKAGE_LOADERS[extension] ?? 'text';
          const contents = loader === 'binary' ? content : opened(safe(content.toString(), loader), open.get(name));
          return { contents, loader, resolveDir: NOWHERE };
        });
        build.onLoad({ filter: /.*/, namespace: THREADS }, () => ({
          contents:
            `import threads from '${THREADS}'; ` +
            "export class Worker { constructor() { throw new Error('A worker thread is not available to a function: it has one thread'); } } " +
            `export default { ...threads, Worker }; export const { ${THREADS_NAMES.join(', ')} } = threads;`,
        }));
        build.onLoad({ filter: /.*/, namespace: OS }, () => ({
          contents: `import os from '${OS}'; export default os; export const { ${OS_NAMES.join(', ')} } = os;`,
        }));
        // Any other path on disk fails here.
        build.onLoad({ filter: /.*/, namespace: DISK }, () => ({ errors: [{ text: 'There is no such file' }] }));
        build.onLoad({ filter: /.*/, namespace: MISSING }, ({ path: name }) => ({
          contents: throwing(`Cannot find module '${name}'`),
        }));
      },
    },
  };
}

function isOwnModule(file: string, files: ReadonlyMap<string, string>): boolean {
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    const manifest = files.get(path.join(folder, 'package.json'));
    if (manifest !== undefined) return /"type"\s*:\s*"module"/.test(manifest);
    if (folder === '.') return false;
  }
}

/** An empty string computed at run time keeps esbuild from reading a pattern there. Columns count bytes. */
function opened(text: string, places: ReadonlySet<string> = new Set()): string {
  if (places.size === 0) return text;
  const lines = text.split(/(?<=\r\n|[\n\u2028\u2029]|\r(?!\n))/).map((line) => Buffer.from(line));
  const inOrder = [...places].map((place) => place.split(':').map(Number)).sort(([, a = 0], [, b = 0]) => b - a);
  for (const [line = 1, column = 0] of inOrder) {
    const whole = lines[line - 1] ?? Buffer.alloc(0);
    lines[line - 1] = Buffer.concat([whole.subarray(0, column), Buffer.from('Object("")+'), whole.subarray(column)]);
  }
  return Buffer.concat(lines).toString();
}

const throwing = (message: string) =>
  `throw Object.assign(new Error(${JSON.stringify(message)}), { code: 'MODULE_NOT_FOUND' });`;

/** esbuild follows `sourceMappingURL=file:///…` to the disk. The escape has the same meaning within a string. */
const safe = (text: string, loader: esbuild.Loader) =>
  /^[jt]sx?$/.test(loader) ? text.replaceAll('sourceMappingURL=', 'sourceMappingU\\x52L=') : text;

/** "function:src/a.ts" in esbuild's output → "src/a.ts". */
export const shownName = (name: string): string =>
  name.replace(/^(function|package):/, '').replace(/(\.[jt]sx?)\.mjs$/, '$1');
