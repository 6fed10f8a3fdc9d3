import type { Reference } from '../../server/connections/apps/source.ts';

/** The text as inline code. Backslashes and asterisks need no escapes there. */
export const code = (text: string): string => `\`${text}\``;

/** "a", "a and b", "a, b and c". */
export function joined(parts: readonly string[], last = 'and'): string {
  const [end = '', ...others] = parts.toReversed();
  return others.length === 0 ? end : `${others.reverse().join(', ')} ${last} ${end}`;
}

/** A URL as a link, a path in a repository as code. */
export const references = (sources: readonly Reference[]): string =>
  sources.map((source) => (/^https?:/.test(source) ? `<${source}>` : code(source))).join(', ');

/** The anchor that GitHub generates for a heading: lower case, hyphens for spaces, no other punctuation. */
export const anchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

export const link = (heading: string, page = ''): string => `[${heading}](${page}#${anchor(heading)})`;

/** Escapes text for a table cell. */
export const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** Joins blocks with blank lines. */
export const page = (blocks: readonly string[]): string => `${blocks.join('\n\n')}\n`;

export const NOTICE =
  '<!-- Written by `node scripts/catalogue-pages.ts` from server/connections/apps/. Do not edit. -->';
