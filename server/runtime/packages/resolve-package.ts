/** Resolves imports in packages by Node's rules: exports, imports, main, index, extensions. */
import { isBuiltin } from 'node:module';
import path from 'node:path/posix';
import { dirOf, LockError, splitSpecifier } from './lock.ts';
import { PackageError } from './package-error.ts';
import { matchEntry } from './package-exports.ts';
import { manifestOf, type Package, type PackageTree } from './packages.ts';

export type PackageFile = { one: Package; inner: string };
export type Found = { file: PackageFile } | { builtin: string } | { refusal: string };
export type Way = 'import' | 'require';

const EXTENSIONS = ['.js', '.json', '.mjs', '.cjs', '.ts', '.mts', '.cts'];
const CONDITIONS: Record<Way, ReadonlySet<string>> = {
  import: new Set(['node', 'import']),
  require: new Set(['node', 'require']),
};

/** Resolves `specifier` in a file of a package. */
export async function resolveInPackage(specifier: string, from: PackageFile, tree: PackageTree, way: Way) {
  if (isBuiltin(specifier)) return builtin(specifier);
  if (/^\.{1,2}(\/|$)/.test(specifier)) {
    const target = path.join(path.dirname(from.inner), specifier);
    const inner = target.startsWith('..') ? undefined : fileAt(from.one, target);
    return inner === undefined
      ? { refusal: `The package "${from.one.name}" has no file "${target}"` }
      : { file: { one: from.one, inner } };
  }
  if (specifier.startsWith('#')) {
    const meant = matchEntry(from.one.manifest['imports'], specifier, CONDITIONS[way]);
    if (meant?.startsWith('#')) return resolveBare(meant.slice(1), from.one.dir, tree, way);
    const inner = meant === undefined ? undefined : fileAt(from.one, meant);
    if (inner !== undefined) return { file: { one: from.one, inner } };
    return { refusal: `The package "${from.one.name}" has nothing for "${specifier}"` };
  }
  const self = splitSpecifier(specifier);
  if (self && self.name === from.one.manifest['name'] && from.one.manifest['exports'] !== undefined)
    return entryOf(from.one, self.subpath, way);
  return resolveBare(specifier, from.one.dir, tree, way);
}

/** Resolves a package name, with or without a path, from a package's folder, or from the function (""). */
export async function resolveBare(specifier: string, fromDir: string, tree: PackageTree, way: Way): Promise<Found> {
  if (isBuiltin(specifier)) return builtin(specifier);
  const asked = splitSpecifier(specifier);
  if (!asked) return { refusal: `"${specifier}" is not the name of a package` };
  try {
    const one = await tree.find(asked.name, fromDir);
    if (one) return entryOf(one, asked.subpath, way);
    const whose = fromDir && `, which ${dirOf(fromDir).split('node_modules/').at(-1)} needs`;
    return { refusal: `There is no package "${asked.name}" in package-lock.json${whose}; add it with npm install` };
  } catch (error) {
    if (error instanceof PackageError || error instanceof LockError) return { refusal: error.message };
    throw error;
  }
}

function entryOf(one: Package, subpath: string, way: Way): Found {
  const { exports, main } = one.manifest;
  let inner: string | undefined;
  if (exports !== undefined && exports !== null) {
    const meant = matchEntry(exports, subpath, CONDITIONS[way]);
    if (meant && !meant.startsWith('#') && one.files.has(meant)) inner = meant;
  } else if (subpath !== '.') inner = fileAt(one, subpath.slice(2));
  else inner = (typeof main === 'string' ? fileAt(one, path.join('.', main)) : undefined) ?? fileAt(one, '.');
  if (inner !== undefined) return { file: { one, inner } };
  const what = subpath === '.' ? 'nothing to import' : `no "${subpath}" to import`;
  return { refusal: `The package "${one.name}" ${one.version} has ${what}` };
}

/** Finds a file, a file without its extension, or a folder's main file. */
function fileAt({ files }: Package, target: string): string | undefined {
  const plain = target.replace(/\/+$/, '');
  const found = [plain, ...EXTENSIONS.map((each) => plain + each)].find((each) => files.has(each));
  if (found !== undefined && target === plain) return found;
  const folder = plain === '.' || plain === '' ? '' : `${plain}/`;
  const { main } = folder ? manifestOf(files, folder) : {};
  const inner = typeof main === 'string' ? path.join(folder, main) : undefined;
  const candidates = [...(inner ? [inner, ...EXTENSIONS.map((each) => inner + each)] : [])];
  const bases = inner ? [`${inner.replace(/\/+$/, '')}/index`, `${folder}index`] : [`${folder}index`];
  for (const base of bases) candidates.push(...EXTENSIONS.map((each) => base + each));
  return candidates.find((each) => files.has(each));
}

/** Whether Node treats a .js file as a module, by its nearest package.json. */
export function isModule({ one, inner }: PackageFile): boolean {
  for (let folder = path.dirname(inner); folder !== '.'; folder = path.dirname(folder))
    if (one.files.has(`${folder}/package.json`)) return manifestOf(one.files, `${folder}/`)['type'] === 'module';
  return one.manifest['type'] === 'module';
}

/** Whether a file with unused exports may be omitted: its package declares which files have side effects. */
export function isPure({ one, inner }: PackageFile): boolean {
  const effects = one.manifest['sideEffects'];
  if (typeof effects === 'boolean') return !effects;
  if (!Array.isArray(effects)) return false;
  // Only plain names can be compared; a pattern may match any file.
  const isOther = (each: string) => !/[*?[{]/.test(each) && path.basename(each) !== path.basename(inner);
  return effects.every((each) => typeof each === 'string' && isOther(each));
}

const builtin = (specifier: string) => ({
  builtin: specifier.startsWith('node:') ? specifier : `node:${specifier}`,
});
