import { DiffEditor, type DiffOnMount } from '@monaco-editor/react';
import { useRef, useState } from 'react';
import { useLatest } from '../hooks/use-latest.ts';
import { useLeave } from '../hooks/use-leave.ts';
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
  // beyond it Monaco shows what it has: better than a comparison that stays without marks
  maxComputationTime: 1000,
  useInlineViewWhenSpaceIsLimited: true,
} as const;
const REGION = { enabled: true, contextLineCount: 3, minimumLineCount: 4, revealLineCount: 10 } as const;
const WHOLE = { enabled: false } as const;
const HIDDEN = { className: 'invisible' } as const;
const SHOWN = {} as const;
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
 * Two texts of a file compared. Give it a key: another file is another comparison. Monaco takes nothing for one empty
 * line that went away; so where one text is empty only the other one is shown.
 */
export function CodeDiff(props: CodeDiffProps) {
  return isOneSided(props) ? <OneSide {...props} /> : <TwoSides {...props} />;
}

function TwoSides(props: CodeDiffProps) {
  const { path, original, modified, layout, changesOnly, onCompared } = props;
  const models = useRef<{ dispose(): void }[]>([]);
  const [named, setNamed] = useState(false);
  const step = useLatest(props.onStep);
  useLeave(() => {
    onCompared?.(undefined);
    // The wrapper disposes the models before the editor, which throws; so it keeps them and they go after it.
    const kept = models.current;
    setTimeout(() => {
      for (const model of kept) model.dispose();
    });
  });

  const onMount: DiffOnMount = (diff) => {
    // Monaco drops a side's label at its first internal update: put it back whenever that happens.
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
    // short texts are compared before anyone listens
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
      // Monaco makes both sides without a name, so they are shown only once they have one.
      wrapperProps={named ? SHOWN : HIDDEN}
      onMount={onMount}
      options={OPTIONS[layout][changesOnly ? 'changes' : 'whole']}
    />
  );
}
