/**
 * Reads the settings of a function's tsconfig.json that affect the running code: decorators, class fields, JSX, and
 * module paths. The others are for editors. No other file is read, so `extends` has no effect.
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
  /** Returns the file that a name maps to by `paths`. */
  fileOf(specifier: string): string | undefined;
};

/** Throws BuildError when the file cannot be parsed. */
export function readTsconfig(files: ReadonlyMap<string, string>): Tsconfig {
  const text = files.get(FILE);
  const options = text === undefined ? {} : fieldsOf(fieldsOf(parsed(text))['compilerOptions']);
  const compilerOptions: Record<string, unknown> = {};
  for (const name of SWITCHES) if (typeof options[name] === 'boolean') compilerOptions[name] = options[name];
  for (const name of WORDS) if (typeof options[name] === 'string') compilerOptions[name] = options[name];
  // "preserve" would leave JSX in the code.
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

/** In the order of precedence. */
function placesOf(specifier: string, base: string, patterns: { pattern: string; targets: string[] }[]): string[] {
  if (/^(\.{0,2}\/|\.{1,2}$|node:)/.test(specifier)) return [];
  let best: { targets: string[]; rest: string; length: number } | undefined;
  for (const { pattern, targets } of patterns) {
    const [before = '', after] = pattern.split('*');
    const fits =
      after === undefined
        ? specifier === pattern
        : specifier.length >= before.length + after.length && specifier.startsWith(before) && specifier.endsWith(after);
    // TypeScript prefers the pattern with the longest prefix.
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

/** Parses JSON with the comments and trailing commas that TypeScript allows. */
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
