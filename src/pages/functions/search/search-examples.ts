import { useQueries } from '@tanstack/react-query';
import { q } from '../../../api/queries.ts';

/** What people look for first. Only those are offered that find something here. */
const EXAMPLES = [
  { q: '/https?:\\/\\/[\\w.-]+/', what: 'Addresses that the code names' },
  { q: '/\\benv\\.[A-Z_]+/', what: 'Environment variables it reads' },
  { q: '"throw new Error"', what: 'Errors it throws' },
  { q: '"await fetch("', what: 'Requests it waits for' },
  { q: '/\\b(TODO|FIXME)\\b/', what: 'What was left to do' },
  { q: '"export default"', what: 'Where each begins' },
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
