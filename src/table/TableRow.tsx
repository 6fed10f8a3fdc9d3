import { type Cell, FlexRender, type RowData, type Row as TableRowModel } from '@tanstack/react-table';
import { memo, type ReactNode, type RefObject, useRef } from 'react';
import { Link } from '../components/Link.tsx';
import { useChange } from '../hooks/use-change.ts';
import { Checkbox } from '../ui/controls/Checkbox.tsx';
import { cx } from '../ui/cx.ts';
import type { ColumnMeta, Columns, Features } from './columns.ts';
import { roles } from './roles.ts';
import { metaOf } from './TableHead.tsx';
import type { Layout } from './use-layout.ts';

export interface TableRowProps<Row extends RowData> {
  row: TableRowModel<Features, Row>;
  index: number;
  top: number;
  layout: Layout;
  /** Not read here, but a change re-renders the row. */
  columns: Columns<Row>;
  /** The grid template (see gridOf). */
  grid: string;
  link: string | undefined;
  name: string;
  current: boolean;
  tabStop: boolean;
  selectable: boolean;
  selected: boolean;
  /** Changes with the content of the row, which is then tinted briefly. */
  version: string | undefined;
}

const AREA: Record<NonNullable<ColumnMeta['phone']>, string> = {
  lead: 'row-start-1 col-start-(--first) self-end',
  tail: 'row-start-1 col-end-[-1] self-end justify-end text-right',
  below: 'row-start-2 col-start-(--first) self-start text-fg-2',
  end: 'row-start-2 col-end-[-1] self-start justify-end text-right',
};

/**
 * One row. The whole row acts as its link, except for other controls in it. It is memoized and depends on its props
 * only, so moving to the next row re-renders two rows.
 */
export const TableRow = memo(PlainRow) as typeof PlainRow;

function PlainRow<Row extends RowData>(props: TableRowProps<Row>) {
  const { row, index, top, layout, grid, link, name, current, tabStop, selectable, selected } = props;
  const element = useTint(props.version);
  const cells = row.getAllCells().filter((cell) => layout.shown.has(metaOf(cell.column)));
  const linked = cells.find((cell) => metaOf(cell.column).link) ?? cells[0];
  return (
    <tr
      ref={element}
      {...roles.row}
      data-row={row.id}
      aria-rowindex={index + 2}
      className={cx(
        'group absolute inset-x-0 grid contain-strict items-center gap-x-3 border-b border-line px-4 max-sm:px-3',
        layout.phone && 'content-center gap-y-0.5',
        link !== undefined && 'cursor-default',
        current || selected ? 'bg-selected' : 'hover:bg-hover has-focus-visible:bg-hover',
        current && 'edge-accent',
      )}
      style={{
        height: layout.rowHeight,
        top,
        gridTemplateColumns: grid,
        ['--first' as string]: selectable ? 2 : 1,
      }}
    >
      {selectable ? (
        <td {...roles.cell} className={cx('grid self-center', layout.phone && 'row-span-2')}>
          <Checkbox
            aria-label={`Select ${name}`}
            checked={selected}
            tabIndex={tabStop ? 0 : -1}
            onChange={() => undefined}
            onClick={row.getToggleSelectedHandler()}
          />
        </td>
      ) : null}
      {cells.map((cell) => (
        <RowCell key={cell.id} cell={cell} phone={layout.phone}>
          {link !== undefined && cell === linked ? (
            <Link
              to={link}
              data-row-link
              tabIndex={tabStop ? 0 : -1}
              aria-current={current ? 'true' : undefined}
              className="min-w-0 flex-1 truncate rounded-sm text-fg no-underline"
            >
              <FlexRender cell={cell} />
            </Link>
          ) : (
            <FlexRender cell={cell} />
          )}
        </RowCell>
      ))}
    </tr>
  );
}

const TINT_MS = 240;

/** Tints a row once when its content changes. */
function useTint(version: string | undefined): RefObject<HTMLTableRowElement | null> {
  const element = useRef<HTMLTableRowElement>(null);
  useChange(version, () => {
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    element.current?.animate([{ backgroundColor: 'var(--accent-soft)' }, {}], {
      duration: TINT_MS,
      easing: 'ease-out',
    });
  });
  return element;
}

function RowCell<Row extends RowData>({
  cell,
  phone,
  children,
}: {
  cell: Cell<Features, Row>;
  phone: boolean;
  children: ReactNode;
}) {
  const { align, quiet, phone: area } = metaOf(cell.column);
  return (
    <td
      {...roles.cell}
      className={cx(
        // clip a little outside, so that focus outlines are not cut off
        'flex min-w-0 items-center gap-1.5 overflow-clip whitespace-nowrap [overflow-clip-margin:4px]',
        align === 'end' && 'justify-end text-right',
        phone && area && AREA[area],
        quiet && 'opacity-0 group-hover:opacity-100 group-has-focus-visible:opacity-100 pointer-coarse:opacity-100',
      )}
    >
      {children}
    </td>
  );
}
