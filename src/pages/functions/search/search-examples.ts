import { useQueries } from '@tanstack/react-query';
import { q } from '../../../api/queries.ts';

/** Example searches. Only examples with results are shown. */
const EXAMPLES = [
  { q: '/https?:\\/\\/[\\w.-]+/', what: 'URLs in the code' },
  { q: '/\\benv\\.[A-Z_]+/', what: 'Environment variables' },
  { q: '"throw new Error"', what: 'Thrown errors' },
  { q: '"await fetch("', what: 'Outgoing requests' },
  { q: '/\\b(TODO|FIXME)\\b/', what: 'TODO comments' },
  { q: '"export default"', what: 'Entry points' },
] as const;

const LATER_MS = 10 * 60_000;

export function useSearchExamples(owner: 'SELF' | 'ALL') {
  const answers = useQueries({
    queries: EXAMPLES.map((example) => ({
      ...q('functionSearch', { query: { q: example.q, limit: 1, ...(owner === 'ALL' ? { owner } : {}) } }),
      staleTime: LATER_MS,
    })),
  });
  return EXAMPLES.filter((_, index) => (answers[index]?.data?.count ?? 0) > 0);
}
