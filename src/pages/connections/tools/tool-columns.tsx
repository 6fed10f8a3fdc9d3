import type { Tool } from '../../../api/entities.ts';
import { fieldsOf } from '../../../forms/schema-fields.ts';
import { plural } from '../../../lib/format.ts';
import { columnsOf } from '../../../table/columns.ts';
import { ToolHints } from './ToolHints.tsx';

const col = columnsOf<Tool>();

export const toolColumns = col.columns([
  col.accessor('name', {
    header: 'Tool',
    meta: { width: 'minmax(160px, 1fr)', phone: 'lead', link: true },
    cell: ({ row: { original } }) => (
      <span className="data block truncate font-medium" title={original.title ?? undefined}>
        {original.name}
      </span>
    ),
  }),
  col.accessor('description', {
    header: 'Description',
    meta: { width: 'minmax(120px, 2fr)', phone: 'below' },
    cell: ({ row: { original } }) => {
      const words = original.description ?? original.title ?? '';
      return (
        <span className="block truncate text-fg-2" title={words}>
          {words}
        </span>
      );
    },
  }),
  col.accessor('input_schema', {
    header: 'Arguments',
    meta: { width: '96px', fold: true },
    cell: ({ getValue }) => <span className="text-fg-3">{argumentsText(getValue())}</span>,
  }),
  col.display({
    id: 'hints',
    header: 'Hints',
    meta: { width: '104px', phone: 'tail' },
    cell: ({ row: { original } }) => <ToolHints tool={original} />,
  }),
]);

function argumentsText(schema: Tool['input_schema']): string {
  const fields = fieldsOf(schema);
  if (fields === undefined) return 'JSON';
  return fields.length === 0 ? 'none' : plural(fields.length, 'field');
}
