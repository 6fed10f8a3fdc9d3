import { SHADOW_OUTCOMES } from '../../../../contract/states.ts';
import type { Reply } from '../../../api/operation.ts';
import { formatCount } from '../../../lib/format.ts';
import { cx } from '../../../ui/cx.ts';
import { OUTCOME_WORDS, type Shadow } from './shadow-queries.ts';

/** The outcomes with the live version, by those with the version that is tried. */
export function ShadowMatrix({ shadow, matrix }: { shadow: Shadow; matrix: Reply<'shadowGet'>['matrix'] }) {
  const befores = SHADOW_OUTCOMES.filter((outcome) => matrix.some(({ before }) => before === outcome));
  const afters = SHADOW_OUTCOMES.filter((outcome) => matrix.some(({ after }) => after === outcome));
  const countOf = (before: string, after: string) =>
    matrix.find((cell) => cell.before === before && cell.after === after)?.count ?? 0;
  if (matrix.length === 0) return null;
  return (
    <table
      className="w-fit self-start text-12"
      aria-label={`Outcomes with version ${shadow.live_version} and version ${shadow.version}`}
    >
      <thead>
        <tr className="text-fg-3">
          <th scope="col" className="py-1 pr-4 text-left font-medium">
            v{shadow.live_version} ↓ v{shadow.version} →
          </th>
          {afters.map((after) => (
            <th key={after} scope="col" className="px-2 py-1 text-right font-medium">
              {OUTCOME_WORDS[after]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {befores.map((before) => (
          <tr key={before} className="border-t border-line">
            <th scope="row" className="py-1 pr-4 text-left font-medium">
              {OUTCOME_WORDS[before]}
            </th>
            {afters.map((after) => (
              <td
                key={after}
                className={cx('data px-2 py-1 text-right', toneOf(before, after, countOf(before, after)))}
              >
                {formatCount(countOf(before, after))}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function toneOf(before: string, after: string, count: number): string {
  if (count === 0) return 'text-fg-3';
  if (before === after) return 'text-fg';
  return after === 'SUCCESS' ? 'text-ok-fg' : 'text-bad-fg';
}
