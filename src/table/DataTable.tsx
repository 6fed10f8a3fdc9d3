import { type OnChangeFn, type RowData, type RowSelectionState, useTable } from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { useChange } from '../hooks/use-change.ts';
import { scrollRegion } from '../ui/scroll-region.ts';
import { type Columns, type Features, features } from './columns.ts';
import { roles } from './roles.ts';
import { gridOf, PLAIN, TableHead } from './TableHead.tsx';
import { TableRow } from './TableRow.tsx';
import { useAnchor } from './use-anchor.ts';
import { useLayout } from './use-layout.ts';
import { useRowKeys } from './use-row-keys.ts';
import { useScrollMemory } from './use-scroll-memory.ts';
import { useWidth } from './use-width.ts';

/** The distance from the end at which the next page is loaded, in rows. */
const AHEAD = 20;
/** The number of rows rendered above and below the visible ones. */
const OVERSCAN = 10;
const NOTHING: RowSelectionState = {};

export interface Selection {
  readonly state: RowSelectionState;
  readonly onChange: OnChangeFn<RowSelectionState>;
}

export interface DataTableProps<Row extends RowData> {
  /** The accessible name: "Events". */
  readonly label: string;
  readonly rows: readonly Row[];
  readonly columns: Columns<Row>;
  readonly rowId: (row: Row) => string;
  /** The name of a row for screen readers: "Select event 019aa6c1…6c13". */
  readonly rowName?: ((row: Row) => string) | undefined;
  /** The URL of a row. Without it, keys do not move between rows. */
  readonly rowLink?: ((row: Row) => string) | undefined;
  /** A value that changes with the visible content of a row; the row is then tinted briefly. */
  readonly rowVersion?: ((row: Row) => string) | undefined;
  /** The row whose panel is open. */
  readonly currentId?: string | undefined;
  /** `tall` rows have two lines: a name and a type. */
  readonly density?: 'row' | 'tall' | undefined;
  readonly selection?: Selection | undefined;
  /** Loads more rows; called near the end. Undefined if all rows are loaded. */
  readonly onEndNear?: (() => void) | undefined;
  /** The total number of rows, if known. */
  readonly total?: number | undefined;
  /** The list is being refetched. */
  readonly refreshing?: boolean | undefined;
  /** Shown after the last row or instead of rows: empty, failed, loading. */
  readonly after?: ReactNode;
  /** Reports whether the user is reading rows: scrolled, or with the pointer or the focus on them. */
  readonly onReading?: ((reading: boolean) => void) | undefined;
  /** Reports the rows in view and a few around them. */
  readonly onVisible?: ((ids: readonly string[]) => void) | undefined;
  /** The table scrolls to the top when this number changes. */
  readonly topAsked?: number | undefined;
}

/** A virtualized table with keyboard navigation and a stable scroll position while rows change. Fills its container. */
export function DataTable<Row extends RowData>(props: DataTableProps<Row>) {
  const { label, rows, columns, rowId, rowName, rowLink, currentId, selection, onEndNear, after } = props;
  const box = useRef<HTMLDivElement>(null);
  const metas = useMemo(() => columns.map(({ meta = PLAIN }) => meta), [columns]);
  const width = useWidth(box);
  const layout = useLayout({ width, density: props.density ?? 'row', metas, selectable: selection !== undefined });
  const { rowHeight } = layout;
  const table = useTable<Features, Row>({
    features,
    columns,
    data: rows as Row[],
    getRowId: rowId,
    enableRowSelection: selection !== undefined,
    state: { rowSelection: selection?.state ?? NOTHING },
    ...(selection ? { onRowSelectionChange: selection.onChange } : {}),
  });
  const shown = table.getRowModel().rows;
  const ids = useMemo(() => shown.map((row) => row.id), [shown]);
  const virtual = useVirtualizer({
    count: shown.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
    // render in the next task, because rendering within the scroll event would delay the key that caused it
    useFlushSync: false,
    getItemKey: (index) => ids[index] ?? index,
    // the sticky header is above the rows
    scrollMargin: layout.headHeight,
    scrollPaddingStart: layout.headHeight,
  });
  useChange(rowHeight, () => virtual.measure());
  useAnchor(box, { ids, rowHeight, headHeight: layout.headHeight, currentId });
  useScrollMemory(box, label);
  useReading(box, props.onReading);

  const activeId = useRowKeys({
    box,
    ids,
    currentId,
    linkOf: rowLink && ((id) => rowLink(table.getRow(id).original)),
    scrollTo: (index) => {
      // scrollToIndex forces a layout, so call it only for rows out of view
      const below = index * rowHeight - (virtual.scrollOffset ?? 0);
      const room = (virtual.scrollRect?.height ?? 0) - layout.headHeight - rowHeight;
      if (below < 0 || below > room) virtual.scrollToIndex(index, { align: 'auto' });
    },
    onSelect: selection && ((id) => table.getRow(id).toggleSelected()),
  });

  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? -1;
  useEffect(() => {
    if (last >= shown.length - AHEAD) onEndNear?.();
  }, [last, shown.length, onEndNear]);

  const first = items[0]?.index ?? 0;
  const { onVisible, topAsked = 0 } = props;
  useEffect(() => onVisible?.(ids.slice(first, last + 1)), [onVisible, ids, first, last]);
  useChange(topAsked, () => box.current?.scrollTo(0, 0));

  const grid = gridOf(table, layout, selection !== undefined);
  const drawn = items.map((item) => ids[item.index]);
  const tabStop = [activeId, currentId].find((id) => id !== undefined && drawn.includes(id)) ?? drawn[0];
  return (
    <div
      ref={box}
      {...scrollRegion(`${label}, list`)}
      className="@container/list relative min-h-0 flex-1 overflow-auto bg-page border-t border-line focus-visible:-outline-offset-2"
    >
      <table
        {...roles.table}
        aria-label={label}
        aria-rowcount={onEndNear ? -1 : (props.total ?? shown.length) + 1}
        aria-busy={props.refreshing || undefined}
        className="grid w-full"
      >
        <TableHead table={table} layout={layout} selectable={selection !== undefined} refreshing={props.refreshing} />
        <tbody {...roles.group} className="relative grid" style={{ height: virtual.getTotalSize() }}>
          {items.map((item) => {
            const row = shown[item.index];
            return row ? (
              <TableRow
                key={row.id}
                row={row}
                index={item.index}
                top={item.start - layout.headHeight}
                layout={layout}
                columns={columns}
                grid={grid}
                link={rowLink?.(row.original)}
                name={rowName?.(row.original) ?? row.id}
                current={row.id === currentId}
                tabStop={row.id === tabStop}
                selectable={selection !== undefined}
                selected={row.getIsSelected()}
                version={props.rowVersion?.(row.original)}
              />
            ) : null;
          })}
        </tbody>
      </table>
      {after}
    </div>
  );
}

function useReading(box: React.RefObject<HTMLElement | null>, onReading: ((reading: boolean) => void) | undefined) {
  useEffect(() => {
    const list = box.current;
    if (!list || !onReading) return;
    const look = () => {
      const body = list.querySelector('tbody');
      // the scroll position last, because reading it may force a layout
      onReading(
        body?.contains(document.activeElement) === true || body?.matches(':hover') === true || list.scrollTop > 0,
      );
    };
    const listeners = new AbortController();
    for (const event of ['pointerover', 'pointerleave', 'focusin']) list.addEventListener(event, look, listeners);
    list.addEventListener('scroll', look, { capture: true, passive: true, signal: listeners.signal });
    look();
    // the focus has moved only after focusout
    list.addEventListener('focusout', () => requestAnimationFrame(look), listeners);
    return () => listeners.abort();
  }, [box, onReading]);
}
