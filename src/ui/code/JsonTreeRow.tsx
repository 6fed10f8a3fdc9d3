import { Copy } from 'lucide-react';
import { formatCount, plural } from '../../lib/format.ts';
import { RowChevron } from '../controls/RowChevron.tsx';
import { cx } from '../cx.ts';
import { type JsonNode, plainly } from './json-nodes.ts';
import { LONG_STRING, type TreeRow } from './json-rows.ts';

export interface JsonTreeRowProps {
  row: TreeRow;
  focusable: boolean;
  onFocus: () => void;
  onToggle: () => void;
  onCopyPath: () => void;
}

/** One row of a JsonTree, which handles the keys. */
export function JsonTreeRow({ row, focusable, onFocus, onToggle, onCopyPath }: JsonTreeRowProps) {
  const opens = row.open !== undefined || row.more !== undefined;
  return (
    <div
      role="treeitem"
      data-row={row.id}
      aria-level={row.level}
      aria-posinset={row.position}
      aria-setsize={row.siblings}
      aria-expanded={row.open}
      aria-selected={false}
      tabIndex={focusable ? 0 : -1}
      onFocus={onFocus}
      onClick={opens ? onToggle : undefined}
      onKeyDown={undefined}
      style={{ paddingLeft: 8 + (row.level - 1) * 16 }}
      className={cx(
        'group/row relative flex min-h-5 items-start gap-1 pr-2 font-mono text-12/5 tracking-[-0.01em] whitespace-pre outline-none [font-variant-ligatures:none] hover:bg-hover focus-visible:bg-selected focus-visible:edge-accent pointer-coarse:min-h-8 pointer-coarse:items-center',
        opens && 'cursor-default',
      )}
    >
      <span className="flex h-5 w-3 flex-none items-center text-fg-3">
        {row.open === undefined ? null : <RowChevron open={row.open} />}
      </span>
      {row.key === undefined ? null : (
        <span>
          <span className={typeof row.key === 'number' ? 'text-fg-3' : 'text-code-key'}>
            {typeof row.key === 'number' ? row.key : plainly(row.key)}
          </span>
          <span className="text-fg-3">:</span>
        </span>
      )}
      {row.more === undefined ? (
        <Value node={row.node} open={row.open ?? false} />
      ) : (
        <span className="text-accent">{formatCount(row.more)} more</span>
      )}
      {row.path && row.more === undefined ? (
        <span className="invisible sticky right-2 ml-auto flex h-5 items-center gap-1 bg-hover pl-3 text-11 text-fg-3 group-hover/row:visible group-focus-visible/row:visible group-focus-visible/row:bg-selected max-sm:hidden">
          <span className="max-w-64 truncate">{row.path}</span>
          <button
            type="button"
            tabIndex={-1}
            aria-label={`Copy path ${row.path}`}
            className="grid size-5 place-items-center rounded-sm hover:text-fg"
            onClick={(event) => {
              event.stopPropagation();
              onCopyPath();
            }}
          >
            <Copy size={12} strokeWidth={2} aria-hidden />
          </button>
        </span>
      ) : null}
    </div>
  );
}

function Value({ node, open }: { node: JsonNode; open: boolean }) {
  switch (node.kind) {
    case 'object':
      return open ? null : (
        <span className="text-fg-3">
          {node.members.length === 0 ? '{}' : `{ ${plural(node.members.length, 'key')} }`}
        </span>
      );
    case 'array':
      return open ? (
        <span className="text-fg-3">[{formatCount(node.items.length)}]</span>
      ) : (
        <span className="text-fg-3">{node.items.length === 0 ? '[]' : `[ ${plural(node.items.length, 'item')} ]`}</span>
      );
    case 'string': {
      const cut = node.value.length > LONG_STRING && !open;
      const text = JSON.stringify(cut ? node.value.slice(0, LONG_STRING) : node.value);
      return (
        <span dir="auto" className={cx('min-w-0 text-code-str', open && 'whitespace-pre-wrap wrap-anywhere')}>
          {plainly(cut ? `${text.slice(0, -1)}…` : text)}
        </span>
      );
    }
    case 'literal':
      return <span className="text-code-num">{node.text}</span>;
  }
}
