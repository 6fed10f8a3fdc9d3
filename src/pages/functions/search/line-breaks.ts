/** Line breaks in the search box: an input has none, so a sign is shown for each of them in a literal. */
import { inQuotes } from './search-ways.ts';

const SIGN = '↵';

/** A text between quotes, in which others are escaped. */
const LITERAL = /^"(?:[^"\\]|\\.)*"$/s;

/** The query as the box shows it; each character has the same position. */
export const asShown = (query: string): string => query.replaceAll('\n', SIGN);

/** The query that the box shows. */
export const asSent = (shown: string): string => shown.replaceAll(SIGN, '\n');

/**
 * The query after several lines were pasted over a part of it. In a literal they stay lines, in an expression they are
 * `\n`. Alone they become a literal, unless they are one; among words they become words.
 */
export function withPasted(query: string, pasted: string, { from, to }: { from: number; to: number }): string {
  const before = query.slice(0, from);
  const after = query.slice(to);
  const lines = pasted.replace(/\r\n?/g, '\n').replace(/^\n+|\n+$/g, '');
  const sign = openSign(before);
  if (sign === '"') return before + inQuotes(lines).slice(1, -1) + after;
  if (sign === '/') return before + lines.replaceAll('\n', '\\n') + after;
  const isAlone = before.trim() === '' && after.trim() === '' && lines.includes('\n');
  if (isAlone) return LITERAL.test(lines) ? lines : inQuotes(lines);
  return before + lines.trim().replace(/\s*\n\s*/g, ' ') + after;
}

/** The delimiter that is open at the end of a text. */
function openSign(text: string): string | undefined {
  let open: string | undefined;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    const isDelimiter = char === '"' || char === '/';
    if (char === '\\' && open) at += 1;
    else if (open) open = char === open ? undefined : open;
    // within a word, as in path:src/lib, it is a character
    else if (isDelimiter && /(?:^|[\s(-])$/.test(text.slice(0, at))) open = char;
  }
  return open;
}
