/** The licences of everything that the package contains or installs. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Licences that ask for a notice and nothing else. */
const ALLOWED = new Set(['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'MIT-0', 'PostgreSQL']);
/** Others, each with its reason in docs/internals/dependencies.md. */
const EXCEPTIONS: Record<string, string> = {
  pyodide: 'MPL-2.0',
  '@fontsource-variable/inter': 'OFL-1.1',
  '@fontsource-variable/jetbrains-mono': 'OFL-1.1',
};
const NOTICE = /^(licen[cs]e|notice|copying)([.-].*)?$/i;

export type Licensed = { name: string; version: string; licence: string; notices: string };
type Lock = Record<string, LockEntry>;
type LockEntry = {
  version: string;
  license?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
};

/** The packages of these folders (`node_modules/pg`), with the texts of their notices. */
export const licencesOf = (root: string, folders: Iterable<string>): Licensed[] =>
  [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as {
      name: string;
      version: string;
      license: string;
    };
    const files = readdirSync(join(root, folder)).filter((file) => NOTICE.test(file));
    const notices = files.map((file) => readFileSync(join(root, folder, file), 'utf8').trim()).join('\n\n');
    return { name, version, licence: license, notices };
  });

/** These packages with all that they depend on, as in the lockfile: those of other platforms are not installed. */
export function installedWith(root: string, names: string[]): Licensed[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Lock };
  const found = new Map<string, Licensed>();
  const add = (name: string) => {
    const entry = packages[`node_modules/${name}`];
    if (!entry) throw new Error(`${name} is not in the lockfile.`);
    if (found.has(name)) return;
    found.set(name, { name, version: entry.version, licence: entry.license ?? 'unknown', notices: '' });
    Object.keys({ ...entry.dependencies, ...entry.optionalDependencies }).forEach(add);
  };
  names.forEach(add);
  return [...found.values()];
}

/** The packages of the built console: headings of its file of licences, such as `## react - 19.3.1 (MIT)`. */
export const consoleLicences = (dist: string): Licensed[] =>
  [...readFileSync(join(dist, 'licenses.md'), 'utf8').matchAll(/^## (\S+) - (\S+) \((.+)\)$/gm)].map(
    ([, name = '', version = '', licence = '']) => ({ name, version, licence, notices: '' }),
  );

/** The packages with a licence that is not allowed: `name: licence`. */
export const refusedLicences = (all: Licensed[]): string[] =>
  all
    .filter(({ name, licence }) => !ALLOWED.has(licence) && EXCEPTIONS[name] !== licence)
    .map(({ name, licence }) => `${name}: ${licence}`);

/** The text of the file: notices of what the package contains, and the list of what npm installs with it. */
export function licencesFile(contained: Licensed[], installed: Licensed[]): string {
  const line = ({ name, version, licence }: Licensed) => `${name} ${version} (${licence})`;
  return [
    '# Third-party licences',
    'The licences of the console are in `dist/licenses.md`.',
    '## Installed with this package',
    'Each of these packages contains its licence.',
    installed.map((each) => `- ${line(each)}`).join('\n'),
    '## Contained in this package',
    'In the folder `vendor`:',
    ...contained.flatMap((each) => [`### ${line(each)}`, each.notices || 'The package contains no text.']),
    '',
  ].join('\n\n');
}
