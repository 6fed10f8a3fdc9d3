import type { CallRange } from '../../contract/states.ts';
import { SegmentedControl, type SegmentedControlProps } from '../ui/controls/SegmentedControl.tsx';
import { RANGES } from './ranges.ts';

export interface FigureControlsProps<As extends string> {
  /** What the statistics are about: prefix of the accessible names. */
  readonly label?: string;
  /** Undefined while the chart is hidden. */
  readonly range: CallRange | undefined;
  readonly onRange: (range: CallRange) => void;
  readonly ways: SegmentedControlProps<As>['options'];
  readonly as: As;
  readonly onAs: (as: As) => void;
}

/** The controls for the time range of statistics and their view. */
export function FigureControls<As extends string>(props: FigureControlsProps<As>) {
  const { label = 'Statistics', range, onRange, ways, as, onAs } = props;
  return (
    <>
      {range ? (
        <SegmentedControl label={`${label} time range`} size="sm" options={RANGES} value={range} onChange={onRange} />
      ) : null}
      <SegmentedControl label={`${label} view`} size="sm" options={ways} value={as} onChange={onAs} />
    </>
  );
}
