/** The functions of the demo, read from the folders beside this file. */
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, parse } from 'node:path';
import type { Body } from '../../contract/operations.ts';

type FunctionCode = Pick<Body<'functionCreate'>, 'name' | 'description' | 'runtime' | 'files'>;

const RUNTIMES = { '.ts': 'nodejs24.x', '.py': 'python3.12' } as const;
const runtimeOf = (path: string) => RUNTIMES[extname(path) as keyof typeof RUNTIMES];
const read = (...path: string[]) => readFileSync(join(import.meta.dirname, ...path), 'utf8');

/** The first comment of a file. */
const descriptionIn = (text: string) => /^(?:\/\/ |""")(.+?)(?:""")?$/m.exec(text)?.[1] ?? '';

/** The files of one of the demo account's functions: `functions/<folder>/`. */
export function filesOf(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(join(import.meta.dirname, 'functions', folder)).map((path) => [path, read('functions', folder, path)]),
  );
}

export function functionIn(folder: string): FunctionCode {
  const files = filesOf(folder);
  const main = 'main.py' in files ? 'main.py' : 'index.ts';
  return { name: folder, description: descriptionIn(files[main] ?? ''), runtime: runtimeOf(main), files };
}

export type Owner = { folder: string; name: string; functions: FunctionCode[] };

/** The other accounts and their public functions: `public/<account>/<function>.ts` or `.py`. */
export const OWNERS: Owner[] = [
  ['tidewater', 'Tidewater Logistics'],
  ['brightleaf', 'Brightleaf Shops'],
  ['openbench', 'Openbench'],
  ['nimbus', 'Nimbus Tools'],
].map(([folder = '', name = '']) => ({
  folder,
  name,
  functions: readdirSync(join(import.meta.dirname, 'public', folder)).map((file) => {
    const text = read('public', folder, file);
    const path = file.endsWith('.py') ? 'main.py' : 'index.ts';
    return {
      name: parse(file).name,
      description: descriptionIn(text),
      runtime: runtimeOf(file),
      files: { [path]: text },
    };
  }),
}));
