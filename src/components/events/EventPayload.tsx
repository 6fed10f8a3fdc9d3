import { useMemo } from 'react';
import { useUrlState } from '../../lib/url-state.ts';
import { CodeBlock } from '../../ui/code/CodeBlock.tsx';
import { JsonTree } from '../../ui/code/JsonTree.tsx';
import { CopyButton } from '../../ui/controls/CopyButton.tsx';
import { SegmentedControl } from '../../ui/controls/SegmentedControl.tsx';
import { PanelSection } from '../../ui/overlays/Panel.tsx';
import { Bytes } from '../../ui/Quantity.tsx';

const defaults = { view: 'tree' };
const VIEWS = [
  { value: 'tree', label: 'Tree' },
  { value: 'raw', label: 'Raw' },
] as const;

/** The payload as a tree whose paths can be copied, or as text. */
export function EventPayload({ payload }: { payload: Readonly<Record<string, unknown>> }) {
  const [url, setUrl] = useUrlState(defaults);
  const text = useMemo(() => JSON.stringify(payload), [payload]);
  const raw = url.view === 'raw';
  return (
    <PanelSection
      title="Payload"
      note={<Bytes bytes={new Blob([text]).size} />}
      aside={
        <>
          <CopyButton text={() => JSON.stringify(payload, null, 2)} label="Copy payload" />
          <SegmentedControl
            label="Payload view"
            size="sm"
            options={VIEWS}
            value={raw ? 'raw' : 'tree'}
            onChange={(view) => setUrl({ view })}
          />
        </>
      }
    >
      {raw ? (
        <CodeBlock code={JSON.stringify(payload, null, 2)} language="json" label="Payload" wrap />
      ) : (
        <JsonTree text={text} label="Payload" pathPrefix="payload" />
      )}
    </PanelSection>
  );
}
