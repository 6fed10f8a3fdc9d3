/**
 * From the files of a version to one module that the sandbox can load. esbuild compiles TypeScript, bundles the
 * function's own files and leaves Node's built-in modules to be imported at run time. All of it happens in memory:
 * imports are resolved by resolve-import.ts alone and references to source maps on disk are defused, so building
 * somebody's code reads nothing of this machine.
 */
import path from 'node:path/posix';
import * as esbuild from 'esbuild';
import type { Problem } from '../../contract/errors.ts';
import { CODE_MAX_BYTES, CODE_MAX_FILES } from '../../contract/limits.ts';
import { BuildError, inFile } from './build-error.ts';
import { type Entry, findEntry, listed } from './entry.ts';
import { resolveImport } from './resolve-import.ts';

export type Source = {
  /** Path → text. Paths are relative with forward slashes. */
  files: Record<string, string>;
  /** "file.export", for example "src/index.handler"; absent: the default export of index, src/index or main. */
  handler?: string | undefined;
};

export type Build = {
  /** One ES module in JavaScript that exports what the entry file exports. */
  code: string;
  /** Its source map (JSON) back to the version's own files, without their text. */
  map: string;
  /** The entry file: "src/index.ts". */
  entry: string;
  /** The handler in full, as given or found. */
  handler: string;
};

const NAMESPACE = 'function';
const OUTFILE = 'index.js';
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

/** Builds a version, or throws a BuildError with every problem's file, line and column (1-based). */
export async function buildVersion({ files: given, handler }: Source): Promise<Build> {
  checkFiles(given);
  const files = new Map(Object.entries(given));
  const paths = new Set(files.keys());
  const entry = findEntry(handler, paths);
  const required = new Set<string>();
  const result = await compile(entry.file, files, required);
  checkExport(entry, result.metafile, files);
  const text = (suffix: string) => result.outputFiles.find((file) => file.path.endsWith(suffix))?.text ?? '';
  const map: { sources: string[]; mappings: string } = JSON.parse(text('.map'));
  map.sources = map.sources.map(ownPath);
  const preamble = requireOf(required);
  if (preamble) map.mappings = `;${map.mappings}`;
  return { code: preamble + text('.js'), map: JSON.stringify(map), entry: entry.file, handler: entry.handler };
}

function compile(entry: string, files: Map<string, string>, required: Set<string>) {
  const paths = new Set(files.keys());
  const options = {
    entryPoints: [entry],
    outfile: OUTFILE,
    absWorkingDir: '/',
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    target: 'es2024',
    sourcemap: 'external',
    sourcesContent: false,
    legalComments: 'none',
    logLevel: 'silent',
    tsconfigRaw: {},
    plugins: [
      {
        name: 'own-files',
        setup(build) {
          build.onResolve({ filter: /.*/ }, ({ path: specifier, importer, kind }) => {
            if (kind === 'entry-point') return { path: specifier, namespace: NAMESPACE };
            const found = resolveImport(specifier, importer, paths);
            if ('file' in found) return { path: found.file, namespace: NAMESPACE };
            if ('refusal' in found) return { errors: [{ text: found.refusal }] };
            if (kind === 'require-call') required.add(found.builtin);
            return { path: found.builtin, external: true };
          });
          build.onLoad({ filter: /.*/, namespace: NAMESPACE }, ({ path: file }) => {
            const loader = LOADERS[path.extname(file)] ?? 'text';
            const text = files.get(file) ?? '';
            return { contents: /^[jt]sx?$/.test(loader) ? defused(text) : text, loader };
          });
        },
      },
    ],
  } satisfies esbuild.BuildOptions;
  return esbuild.build(options).catch((error: esbuild.BuildFailure) => {
    if (!Array.isArray(error.errors)) throw error;
    throw new BuildError(error.errors.map(problemOf));
  });
}

/** esbuild follows `sourceMappingURL=file:///…` to the disk. The escape means the same wherever the text is a string. */
const defused = (text: string) => text.replaceAll('sourceMappingURL=', 'sourceMappingU\\x52L=');

/** "function:src/a.ts" as esbuild writes it → "src/a.ts". */
const ownPath = (file: string) => (file.startsWith(`${NAMESPACE}:`) ? file.slice(NAMESPACE.length + 1) : file);

function problemOf({ text, location }: esbuild.Message): Problem {
  if (!location) return { file: OUTFILE, line: 1, column: 1, text };
  const before = Buffer.from(location.lineText).subarray(0, location.column).toString();
  return { file: ownPath(location.file), line: location.line, column: before.length + 1, text };
}

function checkFiles(files: Record<string, string>): void {
  const paths = Object.keys(files);
  if (paths.length > CODE_MAX_FILES)
    throw inFile(paths[0] ?? '', `Expected at most ${CODE_MAX_FILES} files, got ${paths.length}`);
  const folded = new Map<string, string>();
  let sizeBytes = 0;
  for (const file of paths) {
    if (file === '' || path.isAbsolute(file) || path.normalize(file) !== file || /^\.\.?(\/|$)|\\|\/$|\0/.test(file))
      throw inFile(file, 'Expected a relative path such as src/index.ts, without . or .. segments');
    const twin = folded.get(file.toLowerCase());
    if (twin !== undefined) throw inFile(file, `"${file}" and "${twin}" differ in case only`);
    folded.set(file.toLowerCase(), file);
    sizeBytes += Buffer.byteLength(files[file] ?? '');
  }
  if (sizeBytes > CODE_MAX_BYTES)
    throw inFile(paths[0] ?? '', `Expected at most ${CODE_MAX_BYTES} bytes of code, got ${sizeBytes}`);
}

/** A CommonJS file's exports are only known when it runs; there the name has to occur in its text. */
function checkExport(entry: Entry, metafile: esbuild.Metafile, files: Map<string, string>): void {
  const exported = metafile.outputs[OUTFILE]?.exports ?? [];
  if (exported.includes(entry.exportName)) return;
  const format = metafile.inputs[`${NAMESPACE}:${entry.file}`]?.format;
  if (
    format === 'cjs' &&
    new RegExp(`\\b${entry.exportName.replaceAll('$', '\\$')}\\b`).test(files.get(entry.file) ?? '')
  )
    return;
  throw inFile(
    entry.file,
    `The handler "${entry.handler}" needs an export "${entry.exportName}"; ${entry.file} exports ${listed(exported)}`,
  );
}

/** Bundled CommonJS asks for built-in modules with require(), which an ES module hasn't: one line in front gives it. */
function requireOf(modules: Set<string>): string {
  if (modules.size === 0) return '';
  const names = [...modules];
  const imports = names.map((name, index) => `import __builtin${index} from ${JSON.stringify(name)};`).join('');
  const table = names.map((name, index) => `${JSON.stringify(name)}:__builtin${index}`).join(',');
  return `${imports}const require=((table)=>(name)=>table[name])({${table}});\n`;
}
