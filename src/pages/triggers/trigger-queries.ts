/** What the pages of triggers read, and what their routes have in the path. */
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
/** The newest events: what templates are rendered with and examples are made of. */
export const newestQuery = (trigger_id: string) => q('eventList', { params: { trigger_id }, query: { limit: 20 } });
/** Own functions, offered by name where an address is asked for. */
export const functionsQuery = q('functionList', { query: { limit: 200 } });

export const idIn = (params: CrumbArgs['params']): string => params['triggerId'] ?? '';
export const destinationIdIn = (params: CrumbArgs['params']): string => params['destinationId'] ?? '';

export const triggerCrumb = ({ params, cached }: CrumbArgs): string =>
  cached(triggerQuery(idIn(params)))?.trigger.name ?? 'Trigger';

/** Apps that send events. */
export const sourcesOf = (apps: readonly App[]): readonly App[] => apps.filter((app) => app.event_types.length > 0);

/** Whether a connection can be chosen: it is needed, or the webhook is registered through it. */
export const takesConnection = ({ source, methods }: App): boolean =>
  source !== null && (source.needs_connection || (source.registers && methods.length > 0));

/** A little after it was due, a firing has been noted. */
const NOTED_MS = 1_500;
const SOONEST_MS = 2_000;
const LATEST_MS = 2_147_483_647;

/** Asks again after the next firing: last event and next firing are then others. */
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

/** An event as the source would send it, where none came yet. */
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

/** The newest events of a trigger; without any, the sample of its type. */
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
