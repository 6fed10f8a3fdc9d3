import { ArrowDown, ArrowRight, ArrowUp, RotateCcw } from 'lucide-react';
import { lazy, Suspense, useRef } from 'react';
import type { FunctionVersion, HostedFunction } from '../../../api/entities.ts';
import { CopyAsCurl, curlText } from '../../../components/deliveries/CopyAsCurl.tsx';
import { Link } from '../../../components/Link.tsx';
import { isOneSided } from '../../../editor/one-sided.ts';
import { useHotkey } from '../../../hooks/use-hotkey.ts';
import { formatSpan, plural } from '../../../lib/format.ts';
import { path } from '../../../lib/path.ts';
import { useUrlState } from '../../../lib/url-state.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { IconButton } from '../../../ui/controls/IconButton.tsx';
import { SegmentedControl } from '../../../ui/controls/SegmentedControl.tsx';
import { useFocusFallback } from '../../../ui/overlays/use-focus-fallback.ts';
import { SkeletonLines } from '../../../ui/Skeleton.tsx';
import { type FileDiff, PlusMinus } from './ChangedFiles.tsx';
import { RollBackBar } from './RollBackBar.tsx';
import { useDiffWalk } from './use-diff-walk.ts';

const CodeDiff = lazy(() => import('../../../editor/CodeDiff.tsx').then((module) => ({ default: module.CodeDiff })));

const defaults = { layout: 'split', show: 'changes' };
const LAYOUTS = [
  { value: 'split', label: 'Side by side' },
  { value: 'inline', label: 'Inline' },
] as const;
const SHOWN = [
  { value: 'changes', label: 'Changes' },
  { value: 'whole', label: 'Whole file' },
] as const;

export interface VersionCompareProps {
  fn: HostedFunction;
  versions: readonly FunctionVersion[];
  /** Undefined if only one version exists. */
  from: number | undefined;
  to: number;
  file: string;
  /** The diff shows what rolling back to `to` would change. */
  rollback: boolean;
  onFile: (file: string) => void;
  onFrom: (version: number) => void;
  onTo: (version: number) => void;
  onRollback: (version: number | undefined) => void;
  /** Why a version cannot be rolled back to. Absent for other accounts' functions, which cannot be rolled back. */
  rollbackReason: ((version: number) => string | undefined) | undefined;
  onMore: (() => void) | undefined;
  loadingMore: boolean;
}

interface DiffPaneProps extends VersionCompareProps {
  from: number;
  diffs: readonly FileDiff[];
  shown: FileDiff | undefined;
}

/** The diff of one file between two versions, with navigation through the changes. */
export function DiffPane(props: DiffPaneProps) {
  const { fn, from, to, diffs, shown, rollback } = props;
  const [url, set] = useUrlState(defaults);
  const { walk, setWalk, step, at: here } = useDiffWalk(diffs, shown, props.onFile);
  const layout = url.layout === 'inline' ? 'inline' : 'split';
  const show = url.show === 'whole' ? 'whole' : 'changes';
  const region = useRef<HTMLElement>(null);
  useFocusFallback(rollback, region);
  useHotkey('n', () => step('next'));
  useHotkey('p', () => step('previous'));
  useHotkey('F7', ({ shiftKey }) => step(shiftKey ? 'previous' : 'next'), { whileTyping: true });

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
        <CompareBar {...props} />
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
              <StepButtons onStep={step} />
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
          There are no differences between version {from} and version {to}.
        </p>
      )}
    </section>
  );
}

/** The two versions, the time between them, and the roll-back button. */
function CompareBar({ fn, versions, from, to, rollbackReason, onRollback }: DiffPaneProps) {
  const at = (number: number) => versions.find(({ version }) => version === number)?.created_at;
  const [a, b] = [at(from), at(to)];
  const spanMs = a && b ? Math.abs(Date.parse(b) - Date.parse(a)) : 0;
  const target = from === fn.version ? to : from;
  return (
    <div className="flex min-h-11 flex-none flex-wrap items-center gap-2 border-b border-line px-3 py-1.5">
      <span className="inline-flex items-center gap-2 text-12">
        <span className="data font-medium">Base v{from}</span>
        <ArrowRight size={14} className="text-fg-3" aria-label="to" />
        <span className="data font-medium">Compare v{to}</span>
        {spanMs >= 1000 ? <span className="text-fg-3">{formatSpan(spanMs)} apart</span> : null}
      </span>
      <span className="ml-auto flex flex-wrap items-center gap-2">
        <CopyAsCurl
          text={() =>
            curlText('functionUpdate', { params: { function_id: fn.function_id }, body: { version: target } })
          }
          what={`${target > fn.version ? 'deploy' : 'roll back to'} version ${target}`}
        />
        {rollbackReason && target !== fn.version ? (
          <Button icon={RotateCcw} reason={rollbackReason(target)} onClick={() => onRollback(target)}>
            {target > fn.version ? 'Deploy' : 'Roll back to'} v{target}…
          </Button>
        ) : null}
      </span>
    </div>
  );
}

function StepButtons({ onStep }: { onStep: (way: 'previous' | 'next') => void }) {
  return (
    <span className="inline-flex items-center">
      <IconButton
        size="sm"
        icon={ArrowUp}
        label="Previous change"
        tip="Previous change (p or Shift F7)"
        onClick={() => onStep('previous')}
      />
      <IconButton
        size="sm"
        icon={ArrowDown}
        label="Next change"
        tip="Next change (n or F7)"
        onClick={() => onStep('next')}
      />
    </span>
  );
}

/** Why the diff has only one side. */
function aloneWords({ change, before }: FileDiff, from: number, to: number): string {
  if (change === 'added') return `New in v${to}`;
  if (change === 'removed') return `Not in v${to}`;
  return before === '' ? `Empty in v${from}` : `Empty in v${to}`;
}
