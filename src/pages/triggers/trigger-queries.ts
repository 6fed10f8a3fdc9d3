/** Queries of the trigger pages, and helpers for their routes. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { App, Trigger } from '../../api/entities.ts';
import { invalidate, q } from '../../api/queries.ts';
import type { CrumbArgs } from '../../layouts/handle.ts';
import type { TemplateEvent } from './destinations/fields/template-text.ts';

export const triggerQuery = (trigger_id: string) => q('triggerGet', { params: { trigger_id } });
export const destinationQuery = (trigger_id: string, destination_id: string) =>
  q('destinationGet', { params: { trigger_id, destination_id } });
export const appsQuery = q('appList');
export const connectionsQuery = q('connectionList');
/** The newest events, used to render templates and build examples. */
export const newestQuery = (trigger_id: string) => q('eventList', { params: { trigger_id }, query: { limit: 20 } });
/** Own functions, suggested by name as destinations. */
export const functionsQuery = q('functionList', { query: { limit: 200 } });

export const idIn = (params: CrumbArgs['params']): string => params['triggerId'] ?? '';
export const destinationIdIn = (params: CrumbArgs['params']): string => params['destinationId'] ?? '';

export const triggerCrumb = ({ params, cached }: CrumbArgs): string =>
  cached(triggerQuery(idIn(params)))?.trigger.name ?? 'Trigger';

/** Apps that send events. */
export const sourcesOf = (apps: readonly App[]): readonly App[] => apps.filter((app) => app.event_types.length > 0);

/** Whether the source uses a connection: required, or for the webhook registration. */
export const takesConnection = ({ source, methods }: App): boolean =>
  source !== null && (source.needs_connection || (source.registers && methods.length > 0));

/** The delay after which a firing is stored. */
const NOTED_MS = 1_500;
const SOONEST_MS = 2_000;
const LATEST_MS = 2_147_483_647;

/** Refetches after the next firing, which changes the last event and the next firing. */
export function useFirings(triggers: readonly Trigger[], operation: 'triggerList' | 'triggerGet'): void {
  const next = Math.min(
    ...triggers.flatMap(({ next_fire_at }) => (next_fire_at === null ? [] : [Date.parse(next_fire_at)])),
  );
  useEffect(() => {
    if (!Number.isFinite(next)) return;
    const waitMs = Math.min(Math.max(next - Date.now() + NOTED_MS, SOONEST_MS), LATEST_MS);
    const timer = setInterval(() => void invalidate(operation), waitMs);
    return () => clearInterval(timer);
  }, [next, operation]);
}

/** A sample event of the source, used while there are no events. */
export function sampleEvent(app: App | undefined, type: string, trigger?: Trigger): TemplateEvent | undefined {
  const found = app?.event_types.find(({ event_type }) => event_type === type);
  if (!app || !found) return undefined;
  return {
    event_id: '00000000-0000-4000-8000-000000000000',
    trigger_id: trigger?.trigger_id ?? '00000000-0000-4000-8000-000000000001',
    trigger_name: trigger?.name ?? 'New trigger',
    source: app.app,
    event_type: type,
    received_at: '2026-01-31T09:00:00.000000Z',
    payload: isObject(found.sample) ? found.sample : {},
  };
}
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The newest events of a trigger; if there are none, the sample of its type. */
export function useTemplateEvents(trigger: Trigger): readonly TemplateEvent[] {
  const events = useQuery(newestQuery(trigger.trigger_id)).data?.events;
  const apps = useQuery(appsQuery).data?.apps;
  return useMemo(() => {
    if (events && events.length > 0) return events;
    const sample = sampleEvent(
      apps?.find(({ app }) => app === trigger.source),
      trigger.event_type,
      trigger,
    );
    return sample ? [sample] : [];
  }, [events, apps, trigger]);
}
