/** What pg_trgm is asked: which pieces have what is sought. */
import type { Query } from './queries.ts';

/** No one has to wait longer than this. */
export const PATIENCE_MS = 20_000;
/** A page, and whether there is more. */
export const LIMIT = 26;

/** The numbers of any that have it, or the code of those that are best, in their order. */
export type Work = 'any' | 'best';
export type Sought = Pick<Query, 'pattern' | 'isLiteral' | 'isSensitive'>;

export function questionOf({ pattern, isLiteral, isSensitive }: Sought, work: Work): [sql: string, given: string[]] {
  const [what, order] = work === 'any' ? ['id', ''] : ['id, code', 'order by stars desc, id'];
  const like = isSensitive ? 'like' : 'ilike';
  const operator = isLiteral ? like : isSensitive ? '~' : '~*';
  // There, \b is a backspace; and a line is what newlines part.
  const given = isLiteral ? `%${pattern.replace(/[\\%_]/g, '\\$&')}%` : `(?n)${pattern.replaceAll('\\b', '\\y')}`;
  return [`select ${what} from bench_code where code ${operator} $1 ${order} limit ${LIMIT}`, [given]];
}
