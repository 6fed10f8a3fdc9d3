import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { toApiError } from '../../../api/api-error.ts';
import type { Connection } from '../../../api/entities.ts';
import { SourceMark } from '../../../components/apps/SourceMark.tsx';
import { Link } from '../../../components/Link.tsx';
import { plural, sentenceCase } from '../../../lib/format.ts';
import { path } from '../../../lib/path.ts';
import { Chip } from '../../../ui/controls/Chip.tsx';
import { SkeletonLines } from '../../../ui/Skeleton.tsx';
import { Section } from '../Section.tsx';
import { type Uses, usesQuery } from './uses-query.ts';

/** The triggers, destinations, functions and API keys that use this connection. */
export function UsedBy({ connection: { app, connection_id } }: { connection: Connection }) {
  const uses = useQuery(usesQuery(connection_id));
  return (
    <Section title="Used by">
      {uses.isError ? (
        <p role="alert" className="text-fg-2">
          What uses it could not be loaded: {toApiError(uses.error).message}
        </p>
      ) : uses.data ? (
        <div className="grid gap-4">
          <Triggers uses={uses.data} app={app} />
          <Destinations uses={uses.data} />
          <Callers uses={uses.data} />
        </div>
      ) : (
        <SkeletonLines lines={2} label="Loading what uses it" />
      )}
    </Section>
  );
}

function Triggers({ uses: { triggers, trigger_count }, app }: { uses: Uses; app: string }) {
  if (trigger_count === 0) {
    return (
      <p className="text-fg-2">
        No trigger uses it.{' '}
        <Link className="link underline underline-offset-2" to={path.triggerNew({ source: app })}>
          Create one
        </Link>
      </p>
    );
  }
  return (
    <div>
      <ul aria-label="Triggers that use it" className="grid gap-1.5">
        {triggers.map((trigger) => (
          <TriggerLine key={trigger.trigger_id} trigger={trigger} />
        ))}
      </ul>
      {triggers.length < trigger_count ? (
        <p className="mt-2 text-12 text-fg-3">{plural(trigger_count - triggers.length, 'older trigger')} more</p>
      ) : null}
    </div>
  );
}

function TriggerLine({ trigger }: { trigger: Uses['triggers'][number] }) {
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

function Destinations({ uses: { destinations } }: { uses: Uses }) {
  if (destinations.length === 0) return null;
  return (
    <ul aria-label="Destinations that use it" className="grid gap-1.5">
      {destinations.map(({ trigger_id, trigger_name, destination_id, name, status }) => (
        <li key={destination_id} className="flex min-w-0 items-center gap-2">
          <Link
            className="link min-w-0 truncate font-medium"
            to={path.destination(trigger_id, destination_id)}
            title={name}
          >
            {name}
          </Link>
          <span className="min-w-0 truncate text-12 text-fg-3" title={trigger_name}>
            destination of {trigger_name}
          </span>
          {status === 'DISABLED' ? <span className="ml-auto flex-none text-12 text-fg-3">Disabled</span> : null}
        </li>
      ))}
    </ul>
  );
}

function Callers({ uses: { functions, api_keys } }: { uses: Uses }) {
  if (functions.length + api_keys.length === 0)
    return <p className="text-fg-2">No function or API key names it, or called with it in the last 7 days.</p>;
  return (
    <ul aria-label="Functions and API keys that use it" className="grid gap-1.5">
      {functions.map(({ function_id, name, is_granted, calls }) => (
        <CallerLine
          key={function_id}
          name={
            <Link className="link" to={path.function(function_id)}>
              {name}
            </Link>
          }
          kind={is_granted ? 'function, granted it' : 'function'}
          calls={calls}
        />
      ))}
      {api_keys.map(({ key_id, name, is_limited, calls }) => (
        <CallerLine key={key_id} name={name} kind={is_limited ? 'API key, limited to it' : 'API key'} calls={calls} />
      ))}
    </ul>
  );
}

function CallerLine({ name, kind, calls }: { name: ReactNode; kind: string; calls: number }) {
  return (
    <li className="flex min-w-0 items-center gap-2">
      <span className="min-w-0 truncate font-medium">{name}</span>
      <span className="text-12 text-fg-3">{kind}</span>
      <span className="ml-auto flex-none text-12 text-fg-2">{plural(calls, 'call')} in 7 days</span>
    </li>
  );
}
