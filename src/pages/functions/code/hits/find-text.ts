import type { ReadQuery } from '../../../../../contract/search/search-query.ts';
import type { FindText } from '../../../../editor/editor-hits.ts';

/** Inline flags at the start, which the browser's regular expressions do not have. */
const FLAGS = /^\(\?([imsU]+)\)/;

/** The query for the editor's find widget. Undefined if the browser's regular expressions cannot express it. */
export function findTextOf({ mode, query }: ReadQuery, caseSensitive: boolean): FindText | undefined {
  if (mode === 'literal') return { searchString: query, isRegex: false, isCaseSensitive: caseSensitive };
  if (mode !== 'regex') return undefined;
  const flags = FLAGS.exec(query);
  const searchString = query.slice(flags?.[0].length ?? 0);
  try {
    new RegExp(searchString, 'u');
  } catch {
    return undefined;
  }
  return { searchString, isRegex: true, isCaseSensitive: caseSensitive && !flags?.[1]?.includes('i') };
}
