import { Eye, TriangleAlert } from 'lucide-react';
import type { Tool } from '../../../api/entities.ts';
import { Chip } from '../../../ui/controls/Chip.tsx';
import { Tag } from '../../../ui/Tag.tsx';

/** What the server says a tool does to the world. Nothing said is nothing known. */
export function ToolHints({ tool }: { tool: Tool }) {
  if (tool.read_only) return <Tag icon={Eye}>Read-only</Tag>;
  if (!tool.destructive) return null;
  return (
    <Chip tone="warn" icon={TriangleAlert}>
      Destructive
    </Chip>
  );
}
