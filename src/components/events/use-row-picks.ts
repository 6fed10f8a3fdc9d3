import type { RowSelectionState } from '@tanstack/react-table';
import { useMemo, useState } from 'react';
import type { Selection } from '../../table/DataTable.tsx';

/** The selected rows of a list. A change of filters clears the selection. */
export interface RowPicks extends Selection {
  readonly ids: readonly string[];
  readonly clear: () => void;
}

const NONE: RowSelectionState = {};

export function useRowPicks(listKey: string): RowPicks {
  const [picked, setPicked] = useState({ listKey, state: NONE });
  const state = picked.listKey === listKey ? picked.state : NONE;
  const ids = useMemo(() => Object.keys(state).filter((id) => state[id]), [state]);
  return {
    state,
    ids,
    onChange: (change) => setPicked({ listKey, state: typeof change === 'function' ? change(state) : change }),
    clear: () => setPicked({ listKey, state: NONE }),
  };
}
