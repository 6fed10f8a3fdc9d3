import { DELIVERY_STATUSES } from '../../../contract/states.ts';
import type { Reply } from '../../api/operation.ts';
import { formatCount, sentenceCase } from '../../lib/format.ts';
import { cx } from '../../ui/cx.ts';
import type { Cell } from './replay-queries.ts';

type Matrix = Reply<'replayGet'>['matrix'];

export interface OutcomeMatrixProps {
  readonly matrix: Matrix;
  readonly cell: Cell;
  readonly onCell: (cell: Cell) => void;
}

/** Outcomes before and after the replay; a cell filters the list of deliveries. */
export function OutcomeMatrix({ matrix, cell, onCell }: OutcomeMatrixProps) {
  const befores = DELIVERY_STATUSES.filter((status) => matrix.some(({ before }) => before === status));
  const afters = DELIVERY_STATUSES.filter((status) => matrix.some(({ after }) => after === status));
  const waiting = matrix.some(({ after }) => after === null);
  const sum = (test: (entry: Matrix[number]) => boolean) =>
    matrix.filter(test).reduce((total, { count }) => total + count, 0);
  const isCell = (before: string, after: string) => cell.before === before && cell.after === after;
  const press = (before: string, after: string) =>
    onCell(isCell(before, after) ? { before: '', after: '' } : { before, after });
  return (
    <table className="text-12" aria-label="Outcomes: was and is now">
      <thead>
        <tr className="text-fg-3">
          <th scope="col" className="py-1 pr-4 text-left font-medium">
            Was ↓ Now →
          </th>
          {afters.map((after) => (
            <th key={after} scope="col" className="px-1 py-1 text-right font-medium">
              {sentenceCase(after)}
            </th>
          ))}
          {waiting ? (
            <th scope="col" className="px-2 py-1 text-right font-medium">
              No outcome
            </th>
          ) : null}
          <th scope="col" className="px-1 py-1 text-right font-medium">
            All
          </th>
        </tr>
      </thead>
      <tbody>
        {befores.map((before) => (
          <tr key={before} className="border-t border-line">
            <th scope="row" className="py-0.5 pr-4 text-left font-medium">
              {sentenceCase(before)}
            </th>
            {afters.map((after) => (
              <td key={after} className="px-1 py-0.5 text-right">
                <Count
                  count={sum((entry) => entry.before === before && entry.after === after)}
                  label={`was ${before.toLowerCase()}, is now ${after.toLowerCase()}`}
                  pressed={isCell(before, after)}
                  tone={TONE[after]}
                  onPress={() => press(before, after)}
                />
              </td>
            ))}
            {waiting ? (
              <td className="data px-2 py-0.5 text-right text-fg-3">
                {formatCount(sum((entry) => entry.before === before && entry.after === null))}
              </td>
            ) : null}
            <td className="px-1 py-0.5 text-right">
              <Count
                count={sum((entry) => entry.before === before)}
                label={`was ${before.toLowerCase()}`}
                pressed={isCell(before, '')}
                onPress={() => press(before, '')}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const TONE: Readonly<Record<string, string>> = { SUCCEEDED: 'text-ok-fg', FAILED: 'text-bad-fg' };

interface CountProps {
  readonly count: number;
  /** One cell: deliveries with this outcome before and after. */
  readonly label: string;
  readonly pressed: boolean;
  readonly tone?: string | undefined;
  readonly onPress: () => void;
}

function Count({ count, label, pressed, tone = 'text-fg', onPress }: CountProps) {
  if (count === 0) return <span className="data px-2 text-fg-3">0</span>;
  return (
    <button
      type="button"
      aria-pressed={pressed}
      aria-label={`${formatCount(count)} ${label}`}
      onClick={onPress}
      className={cx(
        'data min-h-6 min-w-14 rounded border px-2 text-right hover:bg-hover',
        pressed ? 'border-accent bg-selected' : 'border-line-2',
        tone,
      )}
    >
      {formatCount(count)}
    </button>
  );
}
