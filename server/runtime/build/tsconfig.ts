/**
 * What of a function's own tsconfig.json means something for the code that runs: decorators, fields of classes, JSX,
 * and the paths that modules go by. The rest is for editors. Nothing is read beside it, so `extends` has no effect.
 */
import path from 'node:path/posix';
import type * as esbuild from 'esbuild';
import { inFile } from './build-error.ts';
import { findFile } from './resolve-import.ts';

const FILE = 'tsconfig.json';
const MAX_CHARS = 16 * 1024;
const SWITCHES = ['experimentalDecorators', 'useDefineForClassFields', 'verbatimModuleSyntax'] as const;
const WORDS = ['jsx', 'jsxFactory', 'jsxFragmentFactory', 'jsxImportSource'] as const;
const JSX = new Set(['react', 'react-jsx', 'react-jsxdev']);

export type Tsconfig = {
  raw: Exclude<esbuild.TsconfigRaw, string>;
  /** The own file that a name stands for by `paths`. */
  fileOf(specifier: string): string | undefined;
};

/** Throws BuildError where there is one that can't be read. */
export function readTsconfig(files: ReadonlyMap<string, string>): Tsconfig {
  const text = files.get(FILE);
  const options = text === undefined ? {} : fieldsOf(fieldsOf(parsed(text))['compilerOptions']);
  const compilerOptions: Record<string, unknown> = {};
  for (const name of SWITCHES) if (typeof options[name] === 'boolean') compilerOptions[name] = options[name];
  for (const name of WORDS) if (typeof options[name] === 'string') compilerOptions[name] = options[name];
  // "preserve" would leave tags in the code.
  if (!JSX.has(String(compilerOptions['jsx']))) delete compilerOptions['jsx'];
  const base = typeof options['baseUrl'] === 'string' ? options['baseUrl'] : '.';
  const patterns = Object.entries(fieldsOf(options['paths'])).map(([pattern, targets]) => ({
    pattern,
    targets: Array.isArray(targets) ? targets.filter((target) => typeof target === 'string') : [],
  }));
  const own = new Set(files.keys());
  return {
    raw: { compilerOptions },
    fileOf: (specifier) => placesOf(specifier, base, patterns).flatMap((place) => findFile(place, own) ?? [])[0],
  };
}

/** In the order in which they are tried. */
function placesOf(specifier: string, base: string, patterns: { pattern: string; targets: string[] }[]): string[] {
  if (/^(\.{0,2}\/|\.{1,2}$|node:)/.test(specifier)) return [];
  let best: { targets: string[]; rest: string; length: number } | undefined;
  for (const { pattern, targets } of patterns) {
    const [before = '', after] = pattern.split('*');
    const fits =
      after === undefined
        ? specifier === pattern
        : specifier.length >= before.length + after.length && specifier.startsWith(before) && specifier.endsWith(after);
    // TypeScript takes the one that says most before its star.
    const length = after === undefined ? Number.POSITIVE_INFINITY : before.length;
    if (fits && (!best || length > best.length))
      best = { targets, rest: specifier.slice(before.length, specifier.length - (after?.length ?? 0)), length };
  }
  const { targets = [], rest = '' } = best ?? {};
  return targets
    .map((target) =>
      path.join(
        base,
        target.replace('*', () => rest),
      ),
    )
    .filter((place) => place !== '..' && !place.startsWith('../') && !place.startsWith('/'));
}

/** With the comments and trailing commas that TypeScript allows in it. */
function parsed(text: string): unknown {
  if (text.length > MAX_CHARS) throw inFile(FILE, `Expected at most ${MAX_CHARS} characters`);
  const withoutComments = text.replace(
    /("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g,
    (_, string?: string) => string ?? ' ',
  );
  const plain = withoutComments.replace(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g, (_, string?: string) => string ?? '');
  try {
    return JSON.parse(plain.replace(/^\ufeff/, ''));
  } catch (error) {
    throw inFile(FILE, `Expected JSON (${error instanceof Error ? error.message : error})`);
  }
}

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
