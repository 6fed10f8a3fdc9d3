import { useState } from 'react';
import type { DryRun } from '../../api/entities.ts';
import { middleCut, plural } from '../../lib/format.ts';
import { Chip, statusIcons } from '../../ui/controls/Chip.tsx';
import { RowChevron } from '../../ui/controls/RowChevron.tsx';
import { DeliveryChip } from '../status.tsx';
import { differencesOf, MessageDiff } from './MessageDiff.tsx';

type Item = DryRun['items'][number];

const keyOf = ({ event_id, destination_id }: Item) => `${event_id}/${destination_id}`;

function words(item: Item): string {
  if (!item.last) return 'not sent before';
  const differences = differencesOf(item);
  if (differences === undefined) return '';
  return differences === 0 ? 'unchanged' : `${plural(differences, 'line')} changed`;
}

/** The first deliveries of the dry run, each with a diff of the last and the next request; one is expanded. */
export function DryRunList({ dryRun: { items, deliveries, at_least } }: { dryRun: DryRun }) {
  const [chosen, setChosen] = useState<string>();
  const open = chosen ?? (items[0] && keyOf(items[0]));
  if (items.length === 0)
    return at_least ? (
      <p className="text-fg-2">None found within the time limit; the replay continues searching.</p>
    ) : null;
  return (
    <>
      <ul aria-label="Dry run" className="rounded border border-line">
        {items.map((item) => {
          const key = keyOf(item);
          const isOpen = key === open;
          return (
            <li key={key} className="border-b border-line last:border-b-0">
              <button
                type="button"
                aria-expanded={isOpen}
                onClick={() => setChosen(isOpen ? 'none' : key)}
                className="flex min-h-8 w-full items-center gap-2 px-2 text-left hover:bg-hover focus-visible:-outline-offset-2"
              >
                <RowChevron open={isOpen} />
                <span className="max-w-[35%] flex-none truncate font-medium" title={item.destination_name}>
                  {item.destination_name}
                </span>
                <span className="data min-w-0 flex-1 truncate text-fg-3" title={item.event_id}>
                  {middleCut(item.event_id)}
                </span>
                <span className="flex-none text-12 text-fg-3 max-sm:hidden">{words(item)}</span>
                {item.problem === null ? (
                  item.before_status && <DeliveryChip status={item.before_status} />
                ) : (
                  <Chip tone="bad" icon={statusIcons.failed}>
                    Not sent
                  </Chip>
                )}
              </button>
              {isOpen ? (
                <div className="grid gap-2 px-2 pb-2">
                  {item.problem === null ? null : (
                    <p className="text-12 wrap-anywhere text-bad-fg">{item.problem} Nothing will be sent.</p>
                  )}
                  {item.last || item.next ? <MessageDiff item={item} /> : null}
                </div>
              ) : null}
            </li>
          );
        })}
      </ul>
      {deliveries > items.length ? (
        <p className="mt-1.5 text-12 text-fg-3">
          {at_least
            ? `Showing the oldest ${items.length} of ${plural(deliveries, 'delivery', 'deliveries')} counted so far.`
            : `Showing the first ${items.length} of ${plural(deliveries, 'delivery', 'deliveries')}.`}
        </p>
      ) : null}
    </>
  );
}
