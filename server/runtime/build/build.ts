/**
 * Builds the files of a version into one module that the sandbox can load. esbuild compiles TypeScript, and bundles the
 * function's files with the packages they use (packages/packages.ts). Node's built-in modules stay imports. Everything
 * happens in memory: module-files.ts resolves all imports, and references to source maps on disk are defused, so a
 * build reads no file of this machine.
 */
import path from 'node:path/posix';
import * as esbuild from 'esbuild';
import type { Problem } from '../../../contract/errors.ts';
import { CODE_MAX_BYTES, CODE_MAX_FILES } from '../../../contract/limits.ts';
import { openPackages } from '../packages/packages.ts';
import type { Registry } from '../packages/registry.ts';
import { BuildError, inFile } from './build-error.ts';
import { type Entry, findEntry, listed } from './entry.ts';
import { type ModuleFiles, moduleFiles, plainText, shownName } from './module-files.ts';
import { readTsconfig, type Tsconfig } from './tsconfig.ts';

export type Source = {
  /** Path → text. Paths are relative with forward slashes. */
  files: Record<string, string>;
  /** "file.export", such as "src/index.handler"; if absent, the default export of index, src/index or main. */
  handler?: string | undefined;
};

export type Build = {
  /** One ES module in JavaScript that exports what the entry file exports. */
  code: string;
  /** Its source map (JSON) back to the version's own files, without their text. */
  map: string;
  /** The entry file: "src/index.ts". */
  entry: string;
  /** The complete handler, given or found. */
  handler: string;
};

const OUTFILE = 'index.js';
/** The size limit of the module: with packages it may exceed the uploaded code. */
export const BUILD_MAX_BYTES = 20 * 1024 * 1024;
/**
 * The service parses a source map to show a stack trace. Above this limit, stack traces show positions in the built
 * code.
 */
const MAPPINGS_MAX_CHARS = 16 * 1024 * 1024;
const PROBLEMS_MAX = 100;
const PROBLEM_MAX_CHARS = 1000;

/**
 * Builds a version, or throws a BuildError with file, line and column (1-based) of every problem. Packages come from
 * `registry`; `onEntry` receives the entry file as soon as it is known. The service runs this in a separate process
 * (build/builder.ts), as code can exhaust its compiler.
 */
export async function buildVersion(
  { files: given, handler }: Source,
  registry?: Registry,
  onEntry?: (file: string) => void,
): Promise<Build> {
  checkFiles(given);
  const files = new Map(Object.entries(given));
  const entry = findEntry(handler, new Set(files.keys()));
  onEntry?.(entry.file);
  const tsconfig = readTsconfig(files);
  const modules = moduleFiles(files, openPackages(files, registry), tsconfig);
  const result = await compile(entry.file, modules, tsconfig);
  checkExport(entry, result.metafile, modules.nameOf(entry.file), files);
  const text = (suffix: string) => result.outputFiles.find((file) => file.path.endsWith(suffix))?.text ?? '';
  const map: { sources: string[]; mappings: string } = JSON.parse(text('.map'));
  map.sources = map.sources.map(shownName);
  const preamble = requireOf(modules.required);
  if (preamble) map.mappings = `;${map.mappings}`;
  if (map.mappings.length > MAPPINGS_MAX_CHARS) map.mappings = '';
  const code = preamble + text('.js');
  if (Buffer.byteLength(code) > BUILD_MAX_BYTES)
    throw inFile(
      entry.file,
      `Expected at most ${BUILD_MAX_BYTES} bytes with its packages, got ${Buffer.byteLength(code)}`,
    );
  return { code, map: JSON.stringify(map), entry: entry.file, handler: entry.handler };
}

function compile(entry: string, { plugin, leaveOpen }: ModuleFiles, { raw }: Tsconfig) {
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
    tsconfigRaw: raw,
    // Packages may build a path from this URL while they load. It points to no file.
    define: { __dirname: '"/function"', __filename: '"/function/index.js"' },
    plugins: [plugin],
  } satisfies esbuild.BuildOptions;
  const build = (): Promise<esbuild.BuildResult<typeof options>> =>
    esbuild.build(options).catch((error: esbuild.BuildFailure) => {
      if (!Array.isArray(error.errors)) throw error;
      const left = error.errors.filter((each) => !leaveOpen(each));
      if (left.length === 0) return build();
      throw new BuildError(left.slice(0, PROBLEMS_MAX).map(problemOf));
    });
  return build();
}

function problemOf({ text, location }: esbuild.Message): Problem {
  if (!location) return { file: OUTFILE, line: 1, column: 1, text: text.slice(0, PROBLEM_MAX_CHARS) };
  const before = Buffer.from(location.lineText).subarray(0, location.column).toString();
  const shown = plainText(text).slice(0, PROBLEM_MAX_CHARS);
  return { file: shownName(location.file), line: location.line, column: before.length + 1, text: shown };
}

/** Checks paths and sizes; throws a BuildError. */
export function checkFiles(files: Record<string, string>): void {
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
  for (const file of paths)
    for (let at = file.indexOf('/'); at > 0; at = file.indexOf('/', at + 1)) {
      const twin = folded.get(file.slice(0, at).toLowerCase());
      if (twin !== undefined) throw inFile(file, `"${twin}" is a file, and the folder of "${file}"`);
    }
  if (sizeBytes > CODE_MAX_BYTES)
    throw inFile(paths[0] ?? '', `Expected at most ${CODE_MAX_BYTES} bytes of code, got ${sizeBytes}`);
}

/** The exports of a CommonJS file are known only at run time; the name has to occur in its text. */
function checkExport(entry: Entry, metafile: esbuild.Metafile, name: string, files: Map<string, string>): void {
  const exported = metafile.outputs[OUTFILE]?.exports ?? [];
  if (exported.includes(entry.exportName)) return;
  const format = metafile.inputs[name]?.format;
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

/** Bundled CommonJS calls require() for built-in modules, which an ES module lacks: this line defines it. */
function requireOf(modules: ReadonlySet<string>): string {
  if (modules.size === 0) return '';
  const names = [...modules];
  const imports = names.map((name, index) => `import __builtin${index} from ${JSON.stringify(name)};`).join('');
  const table = names.map((name, index) => `${JSON.stringify(name)}:__builtin${index}`).join(',');
  const missing = `throw Object.assign(new Error("Cannot find module '"+name+"'"),{code:"MODULE_NOT_FOUND"})`;
  return `${imports}const require=((table)=>(name)=>{if(Object.hasOwn(table,name))return table[name];${missing}})({${table}});\n`;
}
