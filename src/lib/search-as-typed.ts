/**
 * The query to search for while the user is still typing. The service requires literals and regular expressions to be
 * closed. Results update with each keystroke, so an unclosed one is searched for as if it were closed, and the
 * beginning of a filter after a closed one is not treated as search text.
 */
import { FILTER_NAMES } from '../../contract/search/query-filters.ts';
import { UNCLOSED } from '../../contract/search/query-tree.ts';
import { FILTER, readQuery } from '../../contract/search/search-query.ts';

export type AsTyped = {
  /** The query for the service; empty if there is nothing to search for yet. */
  readonly asked: string;
  /** The position of the unclosed delimiter. */
  readonly open?: number;
};

const BEFORE = new RegExp(`^\\s*(?:${FILTER}\\s+)*`);
/** A filter without a value. */
const BEGUN = new RegExp(`\\s+-?(?:${FILTER_NAMES.join('|')}):\\s*$`);
/** The last word, or the last filter whose value has an unclosed quote. */
const LAST = new RegExp(`\\s+(?:-?(?:${FILTER_NAMES.join('|')}):"[^"]*|\\S+)\\s*$`);

export function asTyped(typed: string): AsTyped {
  const { mode, mistake } = readQuery(typed);
  if (mistake?.said === UNCLOSED) return { asked: closed(typed, mistake.at, '"'), open: mistake.at };
  const begun = BEGUN.exec(typed);
  if (begun && readQuery(typed.slice(0, begun.index)).mode !== 'ranked') return { asked: typed.slice(0, begun.index) };
  if (mode !== 'ranked') return { asked: typed };
  const at = BEFORE.exec(typed)?.[0].length ?? 0;
  const sign = typed[at];
  if (sign !== '"' && sign !== '/') return { asked: typed };
  if (!isClosed(typed.slice(at), sign)) {
    return { asked: closed(typed, at, sign), open: at };
  }
  const last = LAST.exec(typed);
  const word = last?.[0].trim() ?? '';
  const quoted = `${typed.trimEnd()}"`;
  if (word.includes(':"') && readQuery(quoted).mode !== 'ranked') return { asked: quoted };
  return { asked: typed };
}

/** The query with its last text closed; empty when that has no characters yet. */
function closed(typed: string, at: number, sign: string): string {
  // a trailing backslash is an incomplete escape
  const text = /(?<!\\)(?:\\\\)*\\$/.test(typed) ? typed.slice(0, -1) : typed;
  return text.length > at + 1 ? text + sign : '';
}

/** Whether the delimiter at the start occurs again, unescaped. */
function isClosed(text: string, sign: string): boolean {
  for (let at = 1; at < text.length; at++) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === sign) return true;
  }
  return false;
}

/** A host name, with or without scheme, port and path. */
const HOST = /^(?:https?:\/\/)?((?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+([a-z]{2,24}))(?::\d+)?(?:\/\S*)?$/i;
/** Common top-level domains. Every two-letter ending counts as a country code, except the file extensions below. */
const ENDINGS = new Set('com net org app dev cloud info biz online site tech store shop xyz example test'.split(' '));
const FILES = new Set(['ts', 'js', 'py', 'md', 'sh', 'rs', 'go', 'cc', 'pl', 'rb', 'cs', 'vb', 'gz']);

/** The literal search for text that looks like a host or a URL; undefined for other text. */
export function hostSearch(typed: string): string | undefined {
  const text = typed.trim();
  const [, , ending = ''] = HOST.exec(text.toLowerCase()) ?? [];
  const named = /^https?:/i.test(text) || ENDINGS.has(ending) || (ending.length === 2 && !FILES.has(ending));
  if (ending === '' || !named) return undefined;
  return `"${text
    .replace(/^https?:\/\//i, '')
    .replace(/\/$/, '')
    .replace(/["\\]/g, '\\$&')}"`;
}
