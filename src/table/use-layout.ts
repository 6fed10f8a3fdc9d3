import { useMemo } from 'react';

/** Below this width a row has two lines and no columns. */
const PHONE_PX = 560;
/** Below this width, usually because a panel is open, optional columns are hidden. */
const FOLD_PX = 840;

export interface Layout {
  readonly phone: boolean;
  readonly folded: boolean;
  readonly rowHeight: number;
  readonly headHeight: number;
}

/** The row layout for this width. */
export function useLayout(width: number, density: 'row' | 'tall'): Layout {
  return useMemo(() => {
    const coarse = matchMedia('(pointer: coarse)').matches;
    const phone = width < PHONE_PX;
    // as in index.css: --row, --row-tall, --row-head
    const rowHeight = phone ? 56 : density === 'tall' ? 44 : coarse ? 40 : 32;
    return { phone, folded: width < FOLD_PX, rowHeight, headHeight: phone ? 0 : 28 };
  }, [width, density]);
}
