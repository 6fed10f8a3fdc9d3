import { lazy, type ReactNode, Suspense, useState } from 'react';
import { SegmentedControl, type SegmentedControlProps } from '../../ui/controls/SegmentedControl.tsx';
import { SkeletonLines } from '../../ui/Skeleton.tsx';

const CodeDiff = lazy(() => import('../../editor/CodeDiff.tsx').then((module) => ({ default: module.CodeDiff })));

/** The facts of the two sides, above their comparison. */
export function ComparedSides({ children }: { readonly children: ReactNode }) {
  return <div className="grid flex-none grid-cols-2 border-t border-line max-sm:grid-cols-1">{children}</div>;
}

/** `label`: the accessible name, such as "Run A". */
export function ComparedSide({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <section
      aria-label={label}
      className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2 text-12 not-first:border-line max-sm:px-3 max-sm:not-first:border-t sm:not-first:border-l"
    >
      {children}
    </section>
  );
}

interface TextComparisonProps<P extends string> {
  readonly parts: SegmentedControlProps<P>['options'];
  readonly part: P;
  readonly onPart: (part: P) => void;
  /** What is to be said about the differences. */
  readonly words: ReactNode;
  /** Identifies the two texts; the path selects their language. */
  readonly id: string;
  readonly path: string;
  /** The two texts with their labels; undefined while they load. */
  readonly texts: readonly [string | undefined, string | undefined];
  readonly labels: readonly [string, string];
  /** Shown in place of the texts, if they could not be loaded. */
  readonly failure?: ReactNode;
}

/** A part of two runs, side by side, with the choice of the part. */
export function TextComparison<P extends string>({
  parts,
  part,
  onPart,
  words,
  id,
  path,
  texts: [original, modified],
  labels,
  failure,
}: TextComparisonProps<P>) {
  const [onCompared] = useState(() => () => {});
  return (
    <>
      <div className="flex min-h-10 flex-none items-center gap-2 border-t border-line bg-sunken px-4 py-1 max-sm:px-3">
        <SegmentedControl label="Compared" size="sm" options={parts} value={part} onChange={onPart} />
        <span role="status" className="text-12 text-fg-2">
          {words}
        </span>
      </div>
      <div className="min-h-0 flex-1 border-t border-line">
        <Suspense fallback={<Loading />}>
          {failure ??
            (original === undefined || modified === undefined ? (
              <Loading />
            ) : (
              <CodeDiff
                key={id}
                path={path}
                original={original}
                modified={modified}
                originalLabel={labels[0]}
                modifiedLabel={labels[1]}
                layout="split"
                changesOnly={false}
                onCompared={onCompared}
              />
            ))}
        </Suspense>
      </div>
    </>
  );
}

function Loading() {
  return (
    <div className="p-4">
      <SkeletonLines lines={8} label="Loading the comparison" />
    </div>
  );
}
