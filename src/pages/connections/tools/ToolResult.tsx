import type { ToolResult as Result } from '../../../api/entities.ts';
import { CodeBlock } from '../../../ui/code/CodeBlock.tsx';
import { JsonTree } from '../../../ui/code/JsonTree.tsx';
import { Chip } from '../../../ui/controls/Chip.tsx';
import { PanelSection } from '../../../ui/overlays/Panel.tsx';
import { Duration } from '../../../ui/Quantity.tsx';
import { type Part, partsOf } from './tool-content.ts';

/** The result of a tool call: status, duration and content parts. */
export function ToolResult({ result }: { result: Result }) {
  const { is_error, content, structured_content, duration_ms } = result;
  const parts = partsOf(content, structured_content).map((part, index) => ({
    part,
    label: `Response, part ${index + 1}`,
  }));
  const hasStructure = structured_content !== null && structured_content !== undefined;
  return (
    <PanelSection
      title="Response"
      note={
        <span role="status" className="inline-flex items-center gap-2">
          <Chip tone={is_error ? 'bad' : 'ok'} quiet={!is_error}>
            {is_error ? 'Failed' : 'Succeeded'}
          </Chip>
          <Duration ms={duration_ms} />
        </span>
      }
    >
      <div className="grid gap-2">
        {parts.map(({ part, label }) => (
          <PartView key={label} part={part} label={label} />
        ))}
        {hasStructure ? (
          <div>
            <h4 className="mb-1 text-12 font-medium text-fg-2">Structured content</h4>
            <JsonTree text={JSON.stringify(structured_content)} label="Structured content" />
          </div>
        ) : null}
        {parts.length === 0 && !hasStructure ? <p className="text-fg-2">The response is empty.</p> : null}
      </div>
    </PanelSection>
  );
}

function PartView({ part, label }: { part: Part; label: string }) {
  if (part.kind === 'text') return <CodeBlock code={part.text} label={label} wrap copy className="max-h-96" />;
  if (part.kind === 'json') return <JsonTree text={part.text} label={label} />;
  return (
    <p className="flex min-w-0 flex-wrap items-baseline gap-x-2 rounded border border-line bg-sunken px-3 py-1.5">
      <span className="font-medium">{part.what}</span>
      <span className="data text-12 text-fg-2">{part.facts.join(', ')}</span>
      {part.address === undefined ? null : <span className="data text-12 wrap-anywhere text-fg-3">{part.address}</span>}
    </p>
  );
}
