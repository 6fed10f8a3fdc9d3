import { useQuery } from '@tanstack/react-query';
import { toApiError } from '../../api/api-error.ts';
import type { Connection, Trigger } from '../../api/entities.ts';
import { q } from '../../api/queries.ts';
import { SourceMark } from '../../components/apps/SourceMark.tsx';
import { Link } from '../../components/Link.tsx';
import { plural, sentenceCase } from '../../lib/format.ts';
import { path } from '../../lib/path.ts';
import { Chip } from '../../ui/controls/Chip.tsx';
import { SkeletonLines } from '../../ui/Skeleton.tsx';
import { Section } from './Section.tsx';

/** The triggers that use this connection. */
export function UsedBy({ connection }: { connection: Connection }) {
  const { app, trigger_count } = connection;
  return (
    <Section title="Used by">
      {trigger_count === 0 ? (
        <p className="text-fg-2">
          No trigger uses it.{' '}
          <Link className="link underline underline-offset-2" to={path.triggerNew({ source: app })}>
            Create one
          </Link>
        </p>
      ) : (
        <Triggers connection={connection} />
      )}
    </Section>
  );
}

function Triggers({ connection: { connection_id, app, trigger_count } }: { connection: Connection }) {
  const triggers = useQuery(q('triggerList', { query: { source: app, limit: 100 } }));
  if (triggers.isError) {
    return (
      <p role="alert" className="text-fg-2">
        {plural(trigger_count, 'trigger')}; which ones could not be loaded: {toApiError(triggers.error).message}
      </p>
    );
  }
  if (!triggers.data) return <SkeletonLines lines={Math.min(trigger_count, 3)} label="Loading triggers" />;
  const using = triggers.data.triggers.filter((trigger) => trigger.connection_id === connection_id);
  return (
    <>
      <ul aria-label="Triggers that use it" className="grid gap-1.5">
        {using.map((trigger) => (
          <TriggerLine key={trigger.trigger_id} trigger={trigger} />
        ))}
      </ul>
      {using.length < trigger_count ? (
        <p className="mt-2 text-12 text-fg-3">
          {plural(trigger_count - using.length, 'older trigger')} more:{' '}
          <Link className="link underline underline-offset-2" to={path.triggers({ source: app })}>
            triggers of this app
          </Link>
        </p>
      ) : null}
    </>
  );
}

function TriggerLine({ trigger }: { trigger: Trigger }) {
  const { trigger_id, name, source, event_type, status, reason } = trigger;
  return (
    <li className="flex min-w-0 items-center gap-2">
      <SourceMark source={source} />
      <Link className="link min-w-0 truncate font-medium" to={path.trigger(trigger_id)} title={name}>
        {name}
      </Link>
      <span className="data min-w-0 truncate text-fg-3" title={event_type}>
        {event_type}
      </span>
      {reason === null ? (
        status === 'DISABLED' ? (
          <span className="ml-auto flex-none text-12 text-fg-3">Disabled</span>
        ) : null
      ) : (
        <span className="ml-auto flex-none">
          <Chip tone="bad">{sentenceCase(reason)}</Chip>
        </span>
      )}
    </li>
  );
}
