import { ArrowDown, ArrowRight, ArrowUp, RotateCcw } from 'lucide-react';
import { lazy, Suspense, useRef } from 'react';
import { CopyAsCurl, curlText } from '../../components/CopyAsCurl.tsx';
import { Link } from '../../components/Link.tsx';
import { isOneSided } from '../../editor/one-sided.ts';
import { useHotkey } from '../../hooks/use-hotkey.ts';
import { formatSpan, plural } from '../../lib/format.ts';
import { path } from '../../lib/path.ts';
import { useUrlState } from '../../lib/url-state.ts';
import { Button } from '../../ui/Button.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { SegmentedControl } from '../../ui/SegmentedControl.tsx';
import { SkeletonLines } from '../../ui/Skeleton.tsx';
import { useKeptFocus } from '../../ui/use-kept-focus.ts';
import { type FileDiff, PlusMinus } from './ChangedFiles.tsx';
import { RollBackBar } from './RollBackBar.tsx';
import { useDiffWalk } from './use-diff-walk.ts';
import type { VersionCompareProps } from './VersionCompare.tsx';

const CodeDiff = lazy(() => import('../../editor/CodeDiff.tsx').then((module) => ({ default: module.CodeDiff })));

const defaults = { layout: 'split', show: 'changes' };
const LAYOUTS = [
  { value: 'split', label: 'Side by side' },
  { value: 'inline', label: 'Inline' },
] as const;
const SHOWN = [
  { value: 'changes', label: 'Changes' },
  { value: 'whole', label: 'Whole file' },
] as const;

interface DiffPaneProps extends VersionCompareProps {
  from: number;
  diffs: readonly FileDiff[];
  shown: FileDiff | undefined;
}

/** The difference of one file between two versions, and the way through the changes. */
export function DiffPane(props: DiffPaneProps) {
  const { fn, versions, from, to, diffs, shown, rollback } = props;
  const [url, set] = useUrlState(defaults);
  const { walk, setWalk, step, at: here } = useDiffWalk(diffs, shown, props.onFile);
  const layout = url.layout === 'inline' ? 'inline' : 'split';
  const show = url.show === 'whole' ? 'whole' : 'changes';
  const region = useRef<HTMLElement>(null);
  useKeptFocus(rollback, region);
  useHotkey('n', () => step('next'));
  useHotkey('p', () => step('previous'));
  useHotkey('F7', ({ shiftKey }) => step(shiftKey ? 'previous' : 'next'), { whileTyping: true });

  const at = (number: number) => versions.find(({ version }) => version === number)?.created_at;
  const [a, b] = [at(from), at(to)];
  const apart = a && b ? `${formatSpan(Math.abs(Date.parse(b) - Date.parse(a)))} apart` : undefined;
  const target = from === fn.version ? to : from;
  return (
    <section
      ref={region}
      tabIndex={-1}
      aria-label={`Version ${from} compared with version ${to}`}
      className="flex min-h-0 min-w-0 flex-1 flex-col focus-visible:-outline-offset-2 max-md:min-h-[70vh]"
    >
      {rollback ? (
        <RollBackBar fn={fn} to={to} diffs={diffs} onDone={() => props.onRollback(undefined)} />
      ) : (
        <div className="flex min-h-11 flex-none flex-wrap items-center gap-2 border-b border-line px-3 py-1.5">
          <span className="inline-flex items-center gap-2 text-12">
            <span className="data font-medium">A v{from}</span>
            <ArrowRight size={14} className="text-fg-3" aria-label="to" />
            <span className="data font-medium">B v{to}</span>
            {apart ? <span className="text-fg-3">{apart}</span> : null}
          </span>
          <span className="ml-auto flex flex-wrap items-center gap-2">
            <CopyAsCurl
              text={() =>
                curlText('functionUpdate', { params: { function_id: fn.function_id }, body: { version: target } })
              }
              what={`serve version ${target}`}
            />
            {props.rollbackReason && target !== fn.version ? (
              <Button icon={RotateCcw} reason={props.rollbackReason(target)} onClick={() => props.onRollback(target)}>
                Roll back to v{target}…
              </Button>
            ) : null}
          </span>
        </div>
      )}
      {shown ? (
        <>
          <div className="flex min-h-9 flex-none flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-sunken px-3 py-1">
            <h2 className="data min-w-0 truncate font-medium tracking-normal">{shown.path}</h2>
            <PlusMinus {...shown} />
            <span className="ml-auto flex flex-wrap items-center gap-2 text-12">
              {isOneSided({ original: shown.before, modified: shown.after }) ? (
                <span className="text-fg-3">{aloneWords(shown, from, to)}</span>
              ) : (
                <>
                  <SegmentedControl
                    label="Layout"
                    size="sm"
                    options={LAYOUTS}
                    value={layout}
                    onChange={(next) => set({ layout: next })}
                  />
                  <SegmentedControl
                    label="Lines shown"
                    size="sm"
                    options={SHOWN}
                    value={show}
                    onChange={(next) => set({ show: next })}
                  />
                </>
              )}
              <span className="inline-flex items-center">
                <IconButton
                  size="sm"
                  icon={ArrowUp}
                  label="Previous change"
                  tip="Previous change (p or Shift F7)"
                  onClick={() => step('previous')}
                />
                <IconButton
                  size="sm"
                  icon={ArrowDown}
                  label="Next change"
                  tip="Next change (n or F7)"
                  onClick={() => step('next')}
                />
              </span>
              <span role="status" className="text-fg-3">
                {walk && here ? (
                  <>
                    Change {here.change} of {walk.count}
                    <span className="sr-only"> in {shown.path}</span>
                    {here.end ? `, the ${here.end === 'next' ? 'last' : 'first'} of all` : ''}
                  </>
                ) : walk ? (
                  plural(walk.count, 'change')
                ) : (
                  ''
                )}
              </span>
              <Link
                className="link"
                to={path.functionLine(fn.function_id, {
                  version: shown.change === 'removed' ? from : to,
                  file: shown.path,
                })}
              >
                Open file
              </Link>
            </span>
          </div>
          <div className="min-h-0 flex-1">
            <Suspense
              fallback={
                <div className="p-4">
                  <SkeletonLines lines={10} label="Loading the comparison" />
                </div>
              }
            >
              <CodeDiff
                key={`${from} ${to} ${shown.path}`}
                path={shown.path}
                original={shown.before}
                modified={shown.after}
                originalLabel={`${shown.path} in version ${from}`}
                modifiedLabel={`${shown.path} in version ${to}`}
                layout={layout}
                changesOnly={show === 'changes'}
                onCompared={setWalk}
                onStep={step}
              />
            </Suspense>
          </div>
        </>
      ) : (
        <p className="p-4 text-fg-2">
          Nothing differs between the files of version {from} and version {to}.
        </p>
      )}
    </section>
  );
}

/** Why there is one side only. */
function aloneWords({ change, before }: FileDiff, from: number, to: number): string {
  if (change === 'added') return `New in v${to}`;
  if (change === 'removed') return `Not in v${to}`;
  return before === '' ? `Empty in v${from}` : `Empty in v${to}`;
}
