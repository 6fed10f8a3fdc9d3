/** The status chips of all resources, with their tones, icons and labels. */
import type { ReactNode } from 'react';
import type { ConnectionStatus, DeliveryStatus, DestinationStatus, RunStatus } from '../../contract/states.ts';
import type { DestinationSummary } from '../api/entities.ts';
import { sentenceCase } from '../lib/format.ts';
import { Chip, statusIcons, type Tone } from '../ui/controls/Chip.tsx';
import type { Health } from '../ui/HealthDot.tsx';
import type { Icon } from '../ui/icon.ts';

type Look = { tone: Tone; icon: Icon };

const CONNECTION: Record<ConnectionStatus, Look> = {
  PENDING: { tone: 'warn', icon: statusIcons.pending },
  ACTIVE: { tone: 'ok', icon: statusIcons.succeeded },
  FAILED: { tone: 'bad', icon: statusIcons.failed },
};

export function ConnectionChip({ status }: { status: ConnectionStatus }) {
  const { tone, icon } = CONNECTION[status];
  return (
    <Chip tone={tone} icon={icon}>
      {sentenceCase(status)}
    </Chip>
  );
}

const DELIVERY: Record<DeliveryStatus, Look> = {
  PENDING: { tone: 'warn', icon: statusIcons.pending },
  RETRYING: { tone: 'warn', icon: statusIcons.retrying },
  SUCCEEDED: { tone: 'ok', icon: statusIcons.succeeded },
  FAILED: { tone: 'bad', icon: statusIcons.failed },
  SKIPPED: { tone: 'mute', icon: statusIcons.skipped },
  CANCELED: { tone: 'mute', icon: statusIcons.disabled },
};

export interface DeliveryChipProps {
  status: DeliveryStatus;
  /** Details: a destination name, the last response status. */
  data?: ReactNode;
  /** In a list of outcomes, a success is only a tick and this destination name. */
  quietName?: string | undefined;
  /** The name of the destination, before the status: two chips differ by it. */
  name?: string | undefined;
}

export function DeliveryChip({ status, data, quietName, name }: DeliveryChipProps) {
  const { tone, icon } = DELIVERY[status];
  const quiet = quietName !== undefined && status === 'SUCCEEDED';
  return (
    <Chip tone={tone} icon={icon} quiet={quiet} data={quiet ? undefined : data}>
      {quiet ? (
        <>
          <span className="sr-only">Succeeded: </span>
          {quietName}
        </>
      ) : name === undefined ? (
        sentenceCase(status)
      ) : (
        <span className="flex min-w-0 gap-1">
          <span className="max-w-28 min-w-0 truncate" dir="auto">
            {name}
          </span>{' '}
          <span className="flex-none font-normal">{sentenceCase(status)}</span>
        </span>
      )}
    </Chip>
  );
}

const RUN: Record<RunStatus, Look & { word: string }> = {
  RUNNING: { tone: 'warn', icon: statusIcons.pending, word: 'Running' },
  OK: { tone: 'ok', icon: statusIcons.succeeded, word: 'OK' },
  ERROR: { tone: 'bad', icon: statusIcons.failed, word: 'Error' },
  TIMEOUT: { tone: 'bad', icon: statusIcons.pending, word: 'Timeout' },
};

export function RunChip({ status, data, quiet }: { status: RunStatus; data?: ReactNode; quiet?: boolean | undefined }) {
  const { tone, icon, word } = RUN[status];
  return (
    <Chip tone={tone} icon={icon} data={data} quiet={quiet === true && status === 'OK'}>
      {word}
    </Chip>
  );
}

interface EnabledChipProps {
  readonly status: DestinationStatus;
  readonly reason: string | null;
  /** An enabled destination may be paused. */
  readonly paused?: boolean;
}

/** Enabled, paused or disabled, with the reason. */
export function EnabledChip({ status, reason, paused = false }: EnabledChipProps) {
  const on = status === 'ENABLED';
  if (on && paused)
    return (
      <Chip tone="warn" icon={statusIcons.paused}>
        Paused
      </Chip>
    );
  const byService = reason !== null && reason !== 'MANUAL';
  return (
    <Chip
      tone={on ? 'ok' : byService ? 'bad' : 'mute'}
      icon={on ? statusIcons.succeeded : statusIcons.disabled}
      data={byService ? (reason === 'GONE' ? '410 Gone' : sentenceCase(reason)) : undefined}
    >
      {sentenceCase(status)}
    </Chip>
  );
}

/** Healthy, disabled by a user, or disabled automatically. */
export function healthOf({ status, reason }: DestinationSummary): Health {
  if (status === 'ENABLED') return 'healthy';
  return reason === 'FAILING' || reason === 'GONE' ? 'disabled automatically' : 'disabled';
}
