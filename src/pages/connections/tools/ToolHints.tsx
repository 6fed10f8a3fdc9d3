import { Eye, TriangleAlert } from 'lucide-react';
import type { Tool } from '../../../api/entities.ts';
import { Chip } from '../../../ui/controls/Chip.tsx';
import { Tag } from '../../../ui/Tag.tsx';

/** The server's hints on a tool's side effects. A missing hint means unknown. */
export function ToolHints({ tool }: { tool: Tool }) {
  if (tool.read_only) return <Tag icon={Eye}>Read-only</Tag>;
  if (!tool.destructive) return null;
  return (
    <Chip tone="warn" icon={TriangleAlert}>
      Destructive
    </Chip>
  );
}
