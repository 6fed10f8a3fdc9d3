import type { SearchSort } from '../../../../../contract/states.ts';
import { SegmentedControl } from '../../../../ui/controls/SegmentedControl.tsx';
import { Select } from '../../../../ui/controls/Select.tsx';
import { Switch } from '../../../../ui/controls/Switch.tsx';
import { type SearchState, sortsFor, useSearchState } from '../search-state.ts';

const SORTS: Record<SearchSort, string> = {
  relevance: 'Relevance',
  runs: 'Runs of the last day',
  stars: 'Stars',
  deployed: 'Last deploy',
};
const GROUPS = [
  { value: 'function', label: 'By function' },
  { value: 'file', label: 'By file' },
] as const;

interface ResultOptionsProps {
  state: SearchState;
  inCode: boolean;
}

/** The order of the results, and how they are grouped. */
export function ResultOptions({ state, inCode }: ResultOptionsProps) {
  const [, set] = useSearchState();
  return (
    <div className="mb-3 flex max-w-[1180px] flex-wrap items-center gap-x-4 gap-y-2 text-12 text-fg-2">
      <div className="flex items-center gap-2">
        <span aria-hidden className="whitespace-nowrap">
          Sort by
        </span>
        <Select
          aria-label="Sort by"
          size="sm"
          className="w-auto"
          options={sortsFor(state.owner).map((value) => ({ value, label: SORTS[value] }))}
          value={state.sort}
          onChange={({ target }) => set({ sort: target.value })}
        />
      </div>
      {inCode ? (
        <SegmentedControl label="Grouping" size="sm" options={GROUPS} value={state.by} onChange={(by) => set({ by })} />
      ) : null}
      {inCode && state.history ? null : (
        <Switch
          className="text-12"
          label="Fold copies"
          checked={state.folded}
          onChange={({ target }) => set({ copies: target.checked ? 'fold' : 'all' })}
        />
      )}
    </div>
  );
}
