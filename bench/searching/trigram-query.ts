/** The SQL query of pg_trgm for the pieces that match. */
import type { Query, Term } from './queries.ts';

/** Time limit of a query, for every program. */
export const TIMEOUT_MS = 20_000;
/** One more than a page of results, to detect further matches. */
export const LIMIT = 26;

/** The ids of any matching pieces, or the code of the best ones in order. */
export type Work = 'any' | 'best';
export type TrigramQuery = Omit<Query, 'q'>;

export function sqlFor({ and, not, ...term }: TrigramQuery, work: Work): [sql: string, given: string[]] {
  const [what, order] = work === 'any' ? ['id', ''] : ['id, code', 'order by stars desc, id'];
  const given: string[] = [];
  const condition = (each: Term) => {
    const [operator, pattern] = conditionOf(each);
    return `code ${operator} $${given.push(pattern)}`;
  };
  const conditions = [condition(term), ...(and ? [condition(and)] : []), ...(not ? [`not (${condition(not)})`] : [])];
  return [`select ${what} from bench_code where ${conditions.join(' and ')} ${order} limit ${LIMIT}`, given];
}

function conditionOf({ pattern, isLiteral, isSensitive }: Term): [operator: string, given: string] {
  if (isLiteral) return [isSensitive ? 'like' : 'ilike', `%${pattern.replace(/[\\%_]/g, '\\$&')}%`];
  // In PostgreSQL \b is a backspace; (?n) matches line by line.
  return [isSensitive ? '~' : '~*', `(?n)${pattern.replaceAll('\\b', '\\y')}`];
}
