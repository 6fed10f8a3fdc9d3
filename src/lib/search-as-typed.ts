/**
 * What is searched for while a query is being typed. The service reads a literal or an expression only once it is
 * closed; here the results come with each letter, so one that isn't closed yet is searched for as if it were, and the
 * beginning of a filter behind one that is closed is not taken for a part of it.
 */
import { FILTER, readQuery } from '../../contract/text/search-query.ts';

export type AsTyped = {
  /** What the service is asked; empty when there is nothing to search for yet. */
  readonly asked: string;
  /** Position of the sign that isn't closed yet. */
  readonly open?: number;
};

const BEFORE = new RegExp(`^\\s*(?:${FILTER}\\s+)*`);
const NAMES = ['path:', 'runtime:', 'owner:'];
/** The last word, or the last filter whose value has an open quote. */
const LAST = /\s+(?:(?:path|runtime|owner):"[^"]*|\S+)\s*$/;

export function asTyped(typed: string): AsTyped {
  if (readQuery(typed).mode !== 'ranked') return { asked: typed };
  const at = BEFORE.exec(typed)?.[0].length ?? 0;
  const sign = typed[at];
  if (sign !== '"' && sign !== '/') return { asked: typed };
  if (!isClosed(typed.slice(at), sign)) {
    // a backslash at the end waits for what it escapes
    const text = /(?<!\\)(?:\\\\)*\\$/.test(typed) ? typed.slice(0, -1) : typed;
    return { asked: text.length > at + 1 ? text + sign : '', open: at };
  }
  const last = LAST.exec(typed);
  const word = last?.[0].trim() ?? '';
  const begun = NAMES.some((name) => name.startsWith(word));
  const [whole, quoted] = [typed.slice(0, last?.index), `${typed.trimEnd()}"`];
  if (word && begun && readQuery(whole).mode !== 'ranked') return { asked: whole };
  if (word.includes(':"') && readQuery(quoted).mode !== 'ranked') return { asked: quoted };
  return { asked: typed };
}

/** Whether the sign that it begins with occurs again, unescaped. */
function isClosed(text: string, sign: string): boolean {
  for (let at = 1; at < text.length; at++) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === sign) return true;
  }
  return false;
}

/** A name of the web, with or without scheme, port and path; the last label is no ending of a file of code. */
const HOST = /^(?:https?:\/\/)?((?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+([a-z]{2,24}))(?::\d+)?(?:\/\S*)?$/i;
/** Longer endings that are common; every ending of two letters is a country's but for these. */
const ENDINGS = new Set('com net org app dev cloud info biz online site tech store shop xyz example test'.split(' '));
const FILES = new Set(['ts', 'js', 'py', 'md', 'sh', 'rs', 'go', 'cc', 'pl', 'rb', 'cs', 'vb', 'gz']);

/** The literal search for what looks like a host or a web address; undefined for everything else. */
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
