import type { SearchReply } from '../../../../api/entities.ts';
import type { Marker } from '../../../../lib/search-marks.ts';
import type { OpenedSearch } from '../search-state.ts';
import { FunctionHits } from './FunctionHits.tsx';

export interface MoreFunctionHitsProps {
  readonly functions: SearchReply['functions'];
  readonly marker: Marker;
  readonly search: OpenedSearch;
  readonly owned: boolean;
  readonly label?: string | undefined;
}

/** Functions found in the code, below the results that are seen first. */
export function MoreFunctionHits({ functions, label, ...shared }: MoreFunctionHitsProps) {
  return (
    <ul aria-label={label} className="grid gap-3">
      {functions.map((found) => (
        <FunctionHits key={found.function_id} found={found} first={false} {...shared} />
      ))}
    </ul>
  );
}
