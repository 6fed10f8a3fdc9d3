/** Where the files of docs/ are in the console: `docs/reference/api.md` is the page `reference/api`. */
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DOCS = join(ROOT, 'docs');

/** The pages, sorted by path; '' is the index. */
export const docPages = (): ReadonlyMap<string, string> =>
  new Map(
    readdirSync(DOCS, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.md'))
      .map((file): [string, string] => [pageOf(join(DOCS, file)), join(DOCS, file)])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );

/** The page of a file of docs/. */
export const pageOf = (file: string): string => relative(DOCS, file).replace(/(^README)?\.md$/, '');

export const isDoc = (file: string): boolean => file.startsWith(`${DOCS}/`) && file.endsWith('.md');

export type LinkTarget =
  | { readonly kind: 'page'; readonly to: string }
  | { readonly kind: 'file'; readonly file: string }
  | { readonly kind: 'web'; readonly href: string }
  /** A file of the repository that the console does not have. */
  | { readonly kind: 'none' };

/** The target of a link in `from`, a file of docs/. */
export function linkTarget(href: string, from: string): LinkTarget {
  if (/^[a-z]+:/.test(href)) return { kind: 'web', href };
  const [path = '', heading] = href.split('#');
  const file = path === '' ? from : join(dirname(from), path);
  const hash = heading === undefined ? '' : `#${heading}`;
  if (!file.startsWith(DOCS) || !existsSync(file)) return { kind: 'none' };
  return file.endsWith('.md') ? { kind: 'page', to: `/docs/${pageOf(file)}${hash}` } : { kind: 'file', file };
}
