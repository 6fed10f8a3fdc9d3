import { DiffEditor, type DiffOnMount } from '@monaco-editor/react';
import { useRef, useState } from 'react';
import { useLatest } from '../hooks/use-latest.ts';
import { useUnmount } from '../hooks/use-unmount.ts';
import { bindWalkKeys, markOf, walkOf } from './diff-walk.ts';
import { EDITOR_OPTIONS, languageOf, THEME } from './monaco.ts';
import { OneSide } from './OneSide.tsx';
import { type CodeDiffProps, isOneSided } from './one-sided.ts';

const COMMON = {
  ...EDITOR_OPTIONS,
  readOnly: true,
  domReadOnly: true,
  renderGutterMenu: false,
  renderMarginRevertIcon: false,
  renderOverviewRuler: false,
  // after this time Monaco shows a partial result, which is better than none
  maxComputationTime: 1000,
  useInlineViewWhenSpaceIsLimited: true,
} as const;
const REGION = { enabled: true, contextLineCount: 3, minimumLineCount: 4, revealLineCount: 10 } as const;
const WHOLE = { enabled: false } as const;
const NOT_YET = { inert: true } as const;
const READY = {} as const;
const OPTIONS = {
  split: {
    changes: { ...COMMON, renderSideBySide: true, hideUnchangedRegions: REGION },
    whole: { ...COMMON, renderSideBySide: true, hideUnchangedRegions: WHOLE },
  },
  inline: {
    changes: { ...COMMON, renderSideBySide: false, hideUnchangedRegions: REGION },
    whole: { ...COMMON, renderSideBySide: false, hideUnchangedRegions: WHOLE },
  },
} as const;

/**
 * Compares two versions of a file. Render it with a key per file. Monaco treats an empty text as one empty line, so if
 * one text is empty only the other one is shown.
 */
export function CodeDiff(props: CodeDiffProps) {
  return isOneSided(props) ? <OneSide {...props} /> : <TwoSides {...props} />;
}

function TwoSides(props: CodeDiffProps) {
  const { path, original, modified, layout, changesOnly, onCompared } = props;
  const models = useRef<{ dispose(): void }[]>([]);
  const [named, setNamed] = useState(false);
  const step = useLatest(props.onStep);
  useUnmount(() => {
    onCompared?.(undefined);
    // The wrapper would dispose the models before the editor, which throws. So they are disposed here, after it.
    const kept = models.current;
    setTimeout(() => {
      for (const model of kept) model.dispose();
    });
  });

  const onMount: DiffOnMount = (diff) => {
    // Monaco drops the label of a side on its first internal update, so restore it.
    const sides = [
      [diff.getOriginalEditor(), props.originalLabel],
      [diff.getModifiedEditor(), props.modifiedLabel],
    ] as const;
    for (const [editor, label] of sides) {
      const name = () => {
        if (editor.getRawOptions().ariaLabel !== label) editor.updateOptions({ ariaLabel: label });
      };
      name();
      editor.onDidChangeConfiguration(name);
    }
    setNamed(true);
    const model = diff.getModel();
    if (model) models.current = [model.original, model.modified];
    const mark = markOf(diff);
    const compared = () => onCompared?.(walkOf(diff, path, mark));
    diff.onDidUpdateDiff(compared);
    // short texts are compared before the listener is added
    if (diff.getLineChanges()) compared();
    bindWalkKeys([diff.getOriginalEditor(), diff.getModifiedEditor()], (way) => step.current?.(way));
  };

  return (
    <DiffEditor
      height="100%"
      theme={THEME}
      language={languageOf(path)}
      original={original}
      modified={modified}
      keepCurrentOriginalModel
      keepCurrentModifiedModel
      loading={null}
      // Monaco creates both sides without an accessible name. Until they have one, nothing can reach them.
      wrapperProps={named ? READY : NOT_YET}
      onMount={onMount}
      options={OPTIONS[layout][changesOnly ? 'changes' : 'whole']}
    />
  );
}
