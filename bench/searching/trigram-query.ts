/** The SQL query of pg_trgm for the pieces that match. */
import type { Query } from './queries.ts';

/** Time limit of a query, for every program. */
export const TIMEOUT_MS = 20_000;
/** One more than a page of results, to detect further matches. */
export const LIMIT = 26;

/** The ids of any matching pieces, or the code of the best ones in order. */
export type Work = 'any' | 'best';
export type TrigramQuery = Pick<Query, 'pattern' | 'isLiteral' | 'isSensitive'>;

export function sqlFor({ pattern, isLiteral, isSensitive }: TrigramQuery, work: Work): [sql: string, given: string[]] {
  const [what, order] = work === 'any' ? ['id', ''] : ['id, code', 'order by stars desc, id'];
  const like = isSensitive ? 'like' : 'ilike';
  const operator = isLiteral ? like : isSensitive ? '~' : '~*';
  // In PostgreSQL \b is a backspace; (?n) matches line by line.
  const given = isLiteral ? `%${pattern.replace(/[\\%_]/g, '\\$&')}%` : `(?n)${pattern.replaceAll('\\b', '\\y')}`;
  return [`select ${what} from bench_code where code ${operator} $1 ${order} limit ${LIMIT}`, [given]];
}
