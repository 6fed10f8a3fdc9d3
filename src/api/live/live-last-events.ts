/**
 * Updates the time of each trigger's last event in the cached replies as events arrive. Event ids contain the time, so
 * no request is needed and rows keep their position.
 */
import type { InfiniteData } from '@tanstack/react-query';
import type { LiveChange } from '../../../contract/live.ts';
import type { Trigger } from '../entities.ts';
import { queryClient } from '../query-client.ts';

type Answer = { trigger?: Trigger; triggers?: Trigger[] };

export function noteLastEvents(changes: readonly LiveChange[]): void {
  const latest = new Map<string, string>();
  for (const change of changes) {
    if (change.noun !== 'event') continue;
    const at = madeAt(change.event_id);
    if (at > (latest.get(change.trigger_id) ?? '')) latest.set(change.trigger_id, at);
  }
  if (latest.size === 0) return;
  const predicate = ({ queryKey: [operation] }: { queryKey: readonly unknown[] }) =>
    operation === 'triggerList' || operation === 'triggerGet';
  queryClient.setQueriesData<Answer | InfiniteData<Answer>>({ predicate }, (data) => {
    if (!data) return data;
    if ('pages' in data) {
      const pages = data.pages.map((page) => answerWith(page, latest));
      return pages.every((page, i) => page === data.pages[i]) ? data : { ...data, pages };
    }
    return answerWith(data, latest);
  });
}

/** The same object if no trigger in it has a newer event. */
function answerWith(answer: Answer, latest: ReadonlyMap<string, string>): Answer {
  const isOlder = ({ trigger_id, last_event_at }: Trigger) => (latest.get(trigger_id) ?? '') > (last_event_at ?? '');
  const noted = (trigger: Trigger): Trigger =>
    isOlder(trigger) ? { ...trigger, last_event_at: latest.get(trigger.trigger_id) ?? null } : trigger;
  if (answer.trigger) return isOlder(answer.trigger) ? { ...answer, trigger: noted(answer.trigger) } : answer;
  return answer.triggers?.some(isOlder) ? { ...answer, triggers: answer.triggers.map(noted) } : answer;
}

/** The timestamp of a UUIDv7, in the API's time format. */
function madeAt(id: string): string {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)).toISOString();
}
