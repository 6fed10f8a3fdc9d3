import { CircleAlert } from 'lucide-react';
import { lazy, Suspense, useMemo, useState } from 'react';
import type { Problem } from '../../../../contract/errors.ts';
import type { Place } from '../../../editor/CodeEditor.tsx';
import type { AskedSymbol } from '../../../editor/symbol-keys.ts';
import { useLatest } from '../../../hooks/use-latest.ts';
import { plural } from '../../../lib/format.ts';
import { cx } from '../../../ui/cx.ts';
import { SkeletonLines } from '../../../ui/Skeleton.tsx';
import { changesOf, type Files, withFile, withMoved, withoutFile } from './draft.ts';
import { FileTree } from './FileTree.tsx';
import { countHits, type FileHits, stepFrom } from './hits/file-hits.ts';
import { HitBar } from './hits/HitBar.tsx';
import { Outline } from './symbols/Outline.tsx';
import { References } from './symbols/References.tsx';
import type { CodeSymbols } from './symbols/use-symbols.ts';

const CodeEditor = lazy(() =>
  import('../../../editor/CodeEditor.tsx').then((module) => ({ default: module.CodeEditor })),
);

export interface CodeWorkspaceProps {
  /** Separates the editor models of different functions and versions. */
  scope: string;
  files: Files;
  /** The files to compare with, for the change marks in the tree. */
  before?: Files | undefined;
  file: string;
  onOpen: (file: string) => void;
  /** From the URL: the line to show, or the range to `endLine`. */
  line?: number | undefined;
  endLine?: number | undefined;
  onLine?: ((file: string, line: number, extend: boolean) => void) | undefined;
  /** The hits of a search in these files. */
  hits?: FileHits | undefined;
  onHideHits?: (() => void) | undefined;
  /** The definitions in these files, as they were deployed. */
  symbols?: CodeSymbols | undefined;
  /** Absent: the code is read-only. */
  onChange?: ((files: Files) => void) | undefined;
  problems: readonly Problem[];
  onSave?: (() => void) | undefined;
  /** Whether a panel is open beside the editor: narrow screens then hide the tree. */
  cramped?: boolean | undefined;
  /** Without the tree, where one file is all there is. */
  noTree?: boolean | undefined;
}

/** A file tree and an editor, with the compile errors below. */
export function CodeWorkspace(props: CodeWorkspaceProps) {
  const { scope, files, before, file, onOpen, line, onChange, problems, onSave } = props;
  const [jump, setJump] = useState<{ file: string; place: Place }>();
  const { endLine, hits, onHideHits, symbols } = props;
  const hitCounts = useMemo(() => (hits ? countHits(hits.hits) : undefined), [hits]);
  const fromAddress = useMemo(() => (line === undefined ? undefined : { line, endLine }), [line, endLine]);
  const changes = useMemo(() => (before ? changesOf(before, files) : undefined), [before, files]);
  const here = useMemo(() => problems.filter((problem) => problem.file === file), [problems, file]);
  const text = files[file];
  const open = (next: string) => {
    setJump(undefined);
    onOpen(next);
  };
  const goTo = (to: string, at: number) => {
    setJump(undefined);
    props.onLine?.(to, at, false);
  };
  /** Goes to the definition, if there is exactly one; otherwise lists all places. */
  const look = (all: CodeSymbols, { name, wanted }: AskedSymbol) => {
    const [only, more] = all.symbols.filter((symbol) => symbol.name === name);
    if (wanted === 'definition' && only && !more) goTo(only.path, only.line);
    else all.onName(name);
  };
  const latest = useLatest(props);
  const [step] = useState(() => (by: 1 | -1) => {
    const { hits: found, file: from, line: at, onLine } = latest.current;
    const next = found && stepFrom(found.hits, { file: from, ...(at === undefined ? {} : { line: at }) }, by);
    setJump(undefined);
    if (next) onLine?.(next.file, next.line, false);
  });
  const editorHits = useMemo(
    () =>
      hits && {
        lines: linesOf(hits, file),
        marker: hits.marker,
        find: hits.find,
        onStep: step,
      },
    [hits, file, step],
  );
  return (
    <div className="flex min-h-0 min-w-0 flex-1 max-md:flex-col">
      <div
        className={cx(
          'flex w-52 flex-none flex-col xl:w-60 border-r border-line bg-page max-md:max-h-40 max-md:w-full max-md:border-r-0 max-md:border-b',
          props.cramped && 'lg:max-xl:hidden',
          props.noTree && 'hidden',
        )}
      >
        <FileTree
          files={files}
          current={file}
          onOpen={open}
          changes={changes}
          mistakes={countByFile(problems)}
          hits={hitCounts}
          actions={
            onChange && {
              onAdd: (path) => {
                onChange(withFile(files, path, ''));
                open(path);
              },
              onMove: (path, to) => {
                onChange(withMoved(files, path, to));
                if (path === file) open(to);
              },
              onRemove: (path) => {
                const rest = withoutFile(files, path);
                onChange(rest);
                if (path === file) open(Object.keys(rest).sort()[0] ?? '');
              },
            }
          }
        />
        {symbols ? <Outline file={file} line={line} symbols={symbols.symbols} onLine={goTo} /> : null}
      </div>
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        {hits ? <HitBar hits={hits} file={file} line={line} onStep={step} onClose={() => onHideHits?.()} /> : null}
        <div className="min-h-40 min-w-0 flex-1">
          {text === undefined ? (
            <p className="p-4 text-fg-2">
              There is no file <code className="text-fg">{file}</code> in this version.
            </p>
          ) : (
            <Suspense fallback={<Loading />}>
              <CodeEditor
                scope={scope}
                path={file}
                value={text}
                readOnly={onChange === undefined}
                onChange={(next) => onChange?.(withFile(files, file, next))}
                problems={here}
                place={jump?.file === file ? jump.place : fromAddress}
                hits={editorHits}
                onSave={onSave}
                onLine={(at, extend) => props.onLine?.(file, at, extend)}
                onSymbol={symbols && ((asked) => look(symbols, asked))}
              />
            </Suspense>
          )}
        </div>
        {symbols?.named ? (
          <References
            named={symbols.named}
            symbols={symbols.symbols}
            onLine={goTo}
            onClose={() => symbols.onName(undefined)}
          />
        ) : null}
        {problems.length > 0 ? (
          <ProblemList
            problems={problems}
            onJump={({ file: at, line: to, column }) => {
              setJump({ file: at, place: { line: to, column, focus: true } });
              if (at !== file) onOpen(at);
            }}
          />
        ) : null}
      </div>
    </div>
  );
}

function linesOf({ hits }: FileHits, file: string): number[] {
  return hits
    .filter((hit) => hit.file === file)
    .flatMap(({ line, endLine = line }) => Array.from({ length: endLine - line + 1 }, (_, at) => line + at));
}

function Loading() {
  return (
    <div className="p-4">
      <SkeletonLines lines={8} label="Loading the editor" />
    </div>
  );
}

function countByFile(problems: readonly Problem[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { file } of problems) counts.set(file, (counts.get(file) ?? 0) + 1);
  return counts;
}

/** Focuses the error summary, unless the user is typing in the editor. */
function focusUnlessWriting(summary: HTMLElement | null) {
  if (!document.activeElement?.closest('.monaco-editor')) summary?.focus();
}

/** Mounted by each deploy that fails to compile. */
function ProblemList({ problems, onJump }: { problems: readonly Problem[]; onJump: (problem: Problem) => void }) {
  return (
    <section
      aria-label="Compile errors"
      className="max-h-40 flex-none overflow-y-auto border-t border-bad-line bg-bad-bg"
    >
      <p ref={focusUnlessWriting} tabIndex={-1} role="alert" className="px-3 pt-2 text-12 font-medium text-bad-fg">
        Not deployed: {plural(problems.length, 'compile error')}.
      </p>
      <ul className="py-1">
        {problems.map((problem) => (
          <li key={`${problem.file}:${problem.line}:${problem.column}:${problem.text}`}>
            <button
              type="button"
              onClick={() => onJump(problem)}
              className="flex w-full items-start gap-2 px-3 py-1 text-left text-12 text-fg hover:bg-hover focus-visible:-outline-offset-2"
            >
              <CircleAlert size={12} strokeWidth={2} className="mt-0.5 flex-none text-bad-fg" aria-hidden />
              <span className="data flex-none text-accent">
                {problem.file}:{problem.line}:{problem.column}
              </span>
              <span className="min-w-0 wrap-anywhere">{problem.text}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
