/**
 * Resolves an import in a function's file: to another file, a built-in module of Node, or a package (`bare`). It never
 * reads this machine's disk, whatever the path.
 */
import { isBuiltin } from 'node:module';
import path from 'node:path/posix';

export type Resolved = { file: string } | { builtin: string } | { refusal: string } | { bare: string };

const EXTENSIONS = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.json'];
/** TypeScript convention: an import of `./a.js` means `a.ts`. */
const WRITTEN_AS: Record<string, string[]> = {
  '.js': ['.ts', '.tsx'],
  '.jsx': ['.tsx'],
  '.mjs': ['.mts'],
  '.cjs': ['.cts'],
};

/** Resolves `specifier` in `importer` among the paths of `files`. */
export function resolveImport(specifier: string, importer: string, files: ReadonlySet<string>): Resolved {
  if (isBuiltin(specifier)) return { builtin: specifier.startsWith('node:') ? specifier : `node:${specifier}` };
  if (/^\.{1,2}(\/|$)/.test(specifier)) return resolveRelative(specifier, importer, files);
  if (specifier.startsWith('/'))
    return { refusal: `"${specifier}" is an absolute path; import a file of this function as "./…"` };
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(specifier)?.[1];
  if (scheme === 'node') return { refusal: `"${specifier}" is not a built-in module of Node` };
  if (scheme) return { refusal: `"${specifier}": ${scheme}: imports are not possible; add the code as a file` };
  if (findFile(specifier, files))
    return {
      refusal: `"${specifier}" is a file of this function; import it with a relative path such as "./${specifier}"`,
    };
  return { bare: specifier };
}

function resolveRelative(specifier: string, importer: string, files: ReadonlySet<string>): Resolved {
  const target = path.join(path.dirname(importer), specifier);
  if (target === '..' || target.startsWith('../')) return { refusal: `"${specifier}" is outside the function's files` };
  const file = findFile(target, files);
  return file ? { file } : { refusal: `There is no file "${target}" (imported as "${specifier}")` };
}

/** Finds the file of a path that lacks its extension, has that of JavaScript, or names a folder with an index. */
export function findFile(target: string, files: ReadonlySet<string>): string | undefined {
  const folder = target === '.' ? '' : target.replace(/\/?$/, '/');
  const extension = path.extname(target);
  const candidates = [
    target,
    ...EXTENSIONS.map((each) => target + each),
    ...(WRITTEN_AS[extension] ?? []).map((each) => target.slice(0, -extension.length) + each),
    ...EXTENSIONS.map((each) => `${folder}index${each}`),
  ];
  return candidates.find((candidate) => files.has(candidate));
}
