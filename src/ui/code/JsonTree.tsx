import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import { CodeBlock } from './CodeBlock.tsx';
import { JsonTreeRow } from './JsonTreeRow.tsx';
import { parseJson } from './json-nodes.ts';
import { nextOf, type TreeRow, type TreeState, treeRows } from './json-rows.ts';

export interface JsonTreeProps {
  /** JSON. Other text is shown as plain text. */
  text: string;
  /** The accessible name: "Payload". */
  label: string;
  /** The prefix of copied paths: `payload`. */
  pathPrefix?: string | undefined;
  /** The number of levels expanded initially. */
  depth?: number | undefined;
}

const UNTOUCHED: TreeState = { toggled: new Set(), unrolled: new Map() };

/**
 * A payload as a tree. Arrow keys move, and expand or close rows. Home and End go to the ends, Enter toggles a row, `c`
 * copies its path.
 */
export function JsonTree({ text, label, pathPrefix = '', depth = 2 }: JsonTreeProps) {
  const root = useMemo(() => parseJson(text), [text]);
  const [state, setState] = useState(UNTOUCHED);
  const [current, setCurrent] = useState<string>();
  const [said, setSaid] = useState('');
  const tree = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => (root ? treeRows(root, state, depth, pathPrefix) : []), [root, state, depth, pathPrefix]);
  if (!root) return <CodeBlock code={text} label={label} wrap />;

  const here = rows.find((row) => row.id === current) ?? rows[0];
  const toggle = (row: TreeRow) => {
    if (row.more !== undefined) {
      const list = row.parent ?? '';
      setState((was) => ({ ...was, unrolled: new Map(was.unrolled).set(list, nextOf(was, list)) }));
    } else if (row.open !== undefined) {
      setState((was) => {
        const toggled = new Set(was.toggled);
        if (!toggled.delete(row.id)) toggled.add(row.id);
        return { ...was, toggled };
      });
    }
  };
  const copyPath = async (row: TreeRow) => {
    try {
      await navigator.clipboard.writeText(row.path);
      setSaid(`Copied ${row.path}`);
    } catch {
      setSaid('Copying was blocked');
    }
  };
  const goTo = (row: TreeRow | undefined) => {
    if (!row) return;
    setCurrent(row.id);
    tree.current?.querySelector<HTMLElement>(`[data-row="${row.id}"]`)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!here || event.metaKey || event.ctrlKey || event.altKey) return;
    const index = rows.indexOf(here);
    if (event.key === 'ArrowDown') goTo(rows[index + 1]);
    else if (event.key === 'ArrowUp') goTo(rows[index - 1]);
    else if (event.key === 'Home') goTo(rows[0]);
    else if (event.key === 'End') goTo(rows.at(-1));
    else if (event.key === 'Enter' || event.key === ' ') toggle(here);
    else if (event.key === 'ArrowRight') here.open === false ? toggle(here) : here.open && goTo(rows[index + 1]);
    else if (event.key === 'ArrowLeft') here.open ? toggle(here) : goTo(rows.find((row) => row.id === here.parent));
    else if (event.key === 'c') void copyPath(here);
    else return;
    event.preventDefault();
  };
  return (
    <div className="overflow-hidden rounded border border-line bg-sunken">
      <div
        ref={tree}
        role="tree"
        aria-label={label}
        tabIndex={-1}
        onKeyDown={onKeyDown}
        className="overflow-x-auto py-1.5"
      >
        {rows.map((row) => (
          <JsonTreeRow
            key={row.id}
            row={row}
            focusable={row === here}
            onFocus={() => setCurrent(row.id)}
            onToggle={() => toggle(row)}
            onCopyPath={() => void copyPath(row)}
          />
        ))}
      </div>
      <span role="status" className="sr-only">
        {said}
      </span>
    </div>
  );
}
