import type { Reply } from '../../api/operation.ts';
import { Link } from '../../components/Link.tsx';
import { affectedText, trendText } from '../../components/problems/problem-words.ts';
import { formatCount, plural } from '../../lib/format.ts';
import { path } from '../../lib/path.ts';
import { Sparkline } from '../../ui/Sparkline.tsx';
import { Time } from '../../ui/Time.tsx';

/** The last seen open problems, and a link to all. */
export function ProblemList({ open: { problems, open_count } }: { open: Reply<'problemList'> }) {
  return (
    <section aria-label="Problems" className="col-span-full min-w-0 rounded-lg border border-line-2 bg-raised">
      <div className="flex items-center gap-2 px-4 pt-3 pb-2">
        <h2 className="text-13">{plural(open_count, 'open problem', 'open problems')}</h2>
        <Link to={path.problems()} className="link ml-auto text-12">
          All problems
        </Link>
      </div>
      <ul>
        {problems.map((problem) => (
          <li key={problem.problem_id} className="border-t border-line">
            <Link
              to={path.problem(problem.problem_id)}
              className="flex min-h-10 items-center gap-3 px-4 py-2 text-fg no-underline hover:bg-hover max-sm:flex-wrap"
            >
              <span
                className="min-w-0 flex-1 truncate max-sm:basis-full max-sm:whitespace-normal"
                title={problem.title}
              >
                {problem.title}
              </span>
              <span className="text-12 text-fg-3 max-lg:hidden">{affectedText(problem)}</span>
              <Sparkline values={problem.trend} label={trendText(problem)} />
              <span className="data w-16 text-right">{formatCount(problem.failures)}</span>
              <Time at={problem.last_seen_at} className="w-24 text-12 text-fg-3" />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
