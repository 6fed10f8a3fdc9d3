import { Download } from 'lucide-react';
import { EXPORT_FORMATS, type ExportFormat } from '../../../contract/states.ts';
import { API_BASE } from '../../api/client.ts';
import { requestPath } from '../../api/request-path.ts';
import { Button } from '../../ui/controls/Button.tsx';
import type { SelectOption } from '../../ui/controls/Select.tsx';
import { Menu } from '../../ui/overlays/Menu.tsx';
import { MenuHead, MenuLink, MenuSeparator } from '../../ui/overlays/MenuItem.tsx';
import { toast } from '../../ui/overlays/toast.ts';
import { CopyAsCurlItem, curlText } from '../deliveries/CopyAsCurl.tsx';
import { useSetFilters } from './EventFilterBar.tsx';
import { eventScope } from './event-query.ts';
import type { EventList } from './use-event-list.ts';

const WORDS: Record<ExportFormat, string> = { ndjson: 'NDJSON, a line per event', csv: 'CSV, a line per delivery' };

interface ExportMenuProps {
  readonly events: EventList;
  readonly triggers?: readonly SelectOption[];
  readonly size?: 'sm' | 'md';
  readonly variant?: 'ghost' | undefined;
}

/** Downloads all events that match the filters of the list. The browser shows the progress and can cancel. */
export function ExportMenu({ events, triggers, size = 'md', variant }: ExportMenuProps) {
  const { filters, begin, triggerId } = events;
  const set = useSetFilters(events, triggers).map(({ name, value }) => `${name} ${value}`);
  const query = eventScope(triggerId, filters, begin);
  return (
    <Menu
      label="Export events"
      align="end"
      trigger={(opener) => (
        <Button {...opener} size={size} variant={variant} icon={Download}>
          Export
        </Button>
      )}
    >
      <MenuHead>{set.length === 0 ? 'All events, newest first' : `Events that match: ${set.join(', ')}`}</MenuHead>
      {EXPORT_FORMATS.map((format) => (
        <MenuLink
          key={format}
          icon={Download}
          render={
            <a
              href={API_BASE + requestPath('eventExport', { query: { ...query, format } })}
              download
              onClick={() =>
                toast({ title: 'Export started', description: 'The browser shows its progress.', tone: 'ok' })
              }
            />
          }
        >
          {WORDS[format]}
        </MenuLink>
      ))}
      <MenuSeparator />
      <CopyAsCurlItem text={() => curlText('eventExport', { query })} />
    </Menu>
  );
}
