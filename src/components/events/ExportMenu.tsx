import { Download } from 'lucide-react';
import { useState } from 'react';
import { EXPORT_FORMATS, type ExportFormat } from '../../../contract/states.ts';
import { API_BASE } from '../../api/client.ts';
import { type ExportProgress, followExport, useExportProgress } from '../../api/live/export-progress.ts';
import { requestPath } from '../../api/request-path.ts';
import { formatCount } from '../../lib/format.ts';
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

const progressWords = ({ events, total }: ExportProgress) =>
  total === null
    ? `${formatCount(events)} events`
    : `${formatCount(events)} of ${formatCount(Math.max(events, total))} events`;

interface ExportMenuProps {
  readonly events: EventList;
  readonly triggers?: readonly SelectOption[];
  readonly size?: 'sm' | 'md';
  readonly variant?: 'ghost' | undefined;
}

/** Downloads all events that match the filters of the list, and shows the progress. The browser can cancel it. */
export function ExportMenu({ events, triggers, size = 'md', variant }: ExportMenuProps) {
  const { filters, begin, triggerId } = events;
  const set = useSetFilters(events, triggers).map(({ name, value }) => `${name} ${value}`);
  const query = eventScope(triggerId, filters, begin);
  const [exportId, setExportId] = useState(() => crypto.randomUUID());
  const progress = useExportProgress();
  const start = () => {
    followExport(exportId);
    setExportId(crypto.randomUUID());
    toast({ title: 'Export started', description: 'Its progress is beside the button.', tone: 'ok' });
  };
  return (
    <>
      {progress ? <span className="data text-12 text-fg-2">{progressWords(progress)}</span> : null}
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
                href={API_BASE + requestPath('eventExport', { query: { ...query, format, export_id: exportId } })}
                download
                onClick={start}
              />
            }
          >
            {WORDS[format]}
          </MenuLink>
        ))}
        <MenuSeparator />
        <CopyAsCurlItem text={() => curlText('eventExport', { query })} />
      </Menu>
    </>
  );
}
