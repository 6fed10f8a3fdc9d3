import { useMemo } from 'react';
import type { ColumnMeta } from './columns.ts';

/** Below this width a row has two lines and no columns. */
const PHONE_PX = 560;
/** Below this width, usually because a panel is open, optional columns are hidden. */
const FOLD_PX = 840;
/** As in TableRow: the space beside the columns, between them, and of the checkbox. */
const SIDES_PX = 32;
const GAP_PX = 12;
const BOX_PX = 24;

export interface Layout {
  readonly phone: boolean;
  readonly shown: ReadonlySet<ColumnMeta>;
  readonly rowHeight: number;
  readonly headHeight: number;
}

interface Rows {
  readonly width: number;
  readonly density: 'row' | 'tall';
  readonly metas: readonly ColumnMeta[];
  readonly selectable: boolean;
}

/** The row layout for this width. */
export function useLayout({ width, density, metas, selectable }: Rows): Layout {
  return useMemo(() => {
    const coarse = matchMedia('(pointer: coarse)').matches;
    const columns = width < PHONE_PX ? undefined : fitting(metas, width - (selectable ? BOX_PX + GAP_PX : 0));
    const phone = columns === undefined;
    // as in index.css: --row, --row-tall, --row-head
    const rowHeight = phone ? 56 : density === 'tall' ? 44 : coarse ? 40 : 32;
    const shown = new Set(columns ?? metas.filter((meta) => meta.phone));
    return { phone, shown, rowHeight, headHeight: phone ? 0 : 28 };
  }, [width, density, metas, selectable]);
}

/** The columns that have room. Undefined if there is none even without those that may be hidden. */
function fitting(metas: readonly ColumnMeta[], width: number): readonly ColumnMeta[] | undefined {
  const hidden = [...metas.filter(({ fold }) => fold === 'late'), ...metas.filter(({ fold }) => fold === true)];
  let shown = metas;
  while (leastWidth(shown) > width || (width < FOLD_PX && hidden.at(-1)?.fold === true)) {
    const next = hidden.pop();
    if (!next) return undefined;
    shown = shown.filter((meta) => meta !== next);
  }
  return shown;
}

function leastWidth(metas: readonly ColumnMeta[]): number {
  const tracks = metas.reduce((sum, { width }) => sum + Number(/(\d+)px/.exec(width)?.[1] ?? 0), 0);
  return SIDES_PX + tracks + GAP_PX * (metas.length - 1);
}
