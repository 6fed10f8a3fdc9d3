import type { QueryTree } from '../../../../contract/search/query-tree.ts';
import { cx } from '../../../ui/cx.ts';

/** How a boolean query was read: its terms as chips, in groups. Screen readers get nested lists. */
export function QueryTreeChips({ tree }: { tree: QueryTree }) {
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-1 max-sm:basis-full">
      <span>Read as</span>
      <Node tree={tree} />
    </div>
  );
}

function Node({ tree, isInner = false }: { tree: QueryTree; isInner?: boolean }) {
  if (tree.kind === 'not') {
    return (
      <span className="flex min-w-0 flex-wrap items-center gap-1">
        <strong className="font-medium text-fg-2">not</strong>
        <Node tree={tree.part} isInner />
      </span>
    );
  }
  if (tree.kind !== 'and' && tree.kind !== 'or') {
    const isFilter = tree.kind === 'filter';
    return (
      <code
        className={cx(
          'wrap-anywhere rounded px-1.5 py-px',
          isFilter ? 'bg-mute-bg text-fg-2' : 'bg-mark-bg text-mark-fg',
        )}
      >
        {writtenTerm(tree)}
      </code>
    );
  }
  const word = tree.kind === 'and' ? 'and' : 'or';
  return (
    <ul
      aria-label={tree.kind === 'and' ? 'All of' : 'Any of'}
      className={cx(
        'flex min-w-0 flex-wrap items-center gap-1',
        isInner && 'rounded-md border border-line-2 px-1 py-0.5',
      )}
    >
      {tree.parts.map((part, index) => (
        <li key={part.at} className="flex min-w-0 flex-wrap items-center gap-1">
          {index > 0 ? <span className="text-fg-3">{word}</span> : null}
          <Node tree={part} isInner />
        </li>
      ))}
    </ul>
  );
}

function writtenTerm(tree: QueryTree): string {
  if (tree.kind === 'filter') return `${tree.filter.name}:${tree.value}`;
  if (tree.kind === 'regex') return `/${tree.text}/`;
  return 'text' in tree ? tree.text.replaceAll('\n', '⏎') : '';
}

/** A filter beside one term, perhaps negated. */
export const writtenFilter = (tree: QueryTree): string =>
  tree.kind === 'not' ? `-${writtenTerm(tree.part)}` : writtenTerm(tree);
