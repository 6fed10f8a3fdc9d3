import { Button } from './controls/Button.tsx';
import { FilterChip } from './controls/FilterChip.tsx';

export interface FilteredEmptyProps {
  /** The plural of a row: "events". */
  noun: string;
  filters: readonly { readonly name: string; readonly value: string; readonly onClear: () => void }[];
  onClearAll: () => void;
}

/** The empty state of a filtered list, with buttons to clear one filter or all. */
export function FilteredEmpty({ noun, filters, onClearAll }: FilteredEmptyProps) {
  return (
    <div className="px-4 py-5" role="status">
      <p className="text-fg-2">No {noun} match these filters.</p>
      <div className="mt-2 flex flex-wrap items-center gap-1.5">
        {filters.map((filter) => (
          <FilterChip key={filter.name} {...filter} />
        ))}
        <Button variant="ghost" size="sm" onClick={onClearAll}>
          Clear filters
        </Button>
      </div>
    </div>
  );
}
