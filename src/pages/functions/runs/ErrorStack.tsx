import type { Run } from '../../../api/entities.ts';
import { readTerminal } from '../../../components/deliveries/terminal-text.ts';
import { type CodeOf, PlaceText } from '../../../components/PlaceText.tsx';
import { scrollRegion } from '../../../ui/scroll-region.ts';

/** The thrown error; each stack frame links to its line. */
export function ErrorStack({ error, ...code }: CodeOf & { error: NonNullable<Run['error']> }) {
  const { text, pieces } = readTerminal(error.stack ?? `${error.name}: ${error.message}`);
  return (
    <pre
      {...scrollRegion('Error')}
      className="mb-2 max-h-64 overflow-auto rounded border border-bad-line bg-bad-bg px-3 py-2 text-12/5 wrap-anywhere whitespace-pre-wrap text-fg"
    >
      <PlaceText text={text} inked={pieces} {...code} />
    </pre>
  );
}
