/** Which sources are offered, in which order, and what of them fits what is typed. */
import type { App } from '../../../api/entities.ts';

type Searched = Pick<App, 'app' | 'name' | 'category'> & {
  readonly event_types: readonly Pick<App['event_types'][number], 'event_type'>[];
};
export interface SourceGroup<A> {
  readonly name: string;
  readonly sources: readonly A[];
}
export interface FoundSource<A> {
  readonly source: A;
  /** The event type that fits, where the name doesn't. */
  readonly eventType: string | undefined;
}

const BUILT_IN = 'built-in';

/** Those whose name, id or one of whose event types has what is typed; names come before event types. */
export function findSources<A extends Searched>(sources: readonly A[], text: string): readonly FoundSource<A>[] {
  const wanted = text.trim().toLowerCase();
  const has = (each: string) => each.toLowerCase().includes(wanted);
  const named = sources.filter(({ app, name }) => has(app) || has(name));
  const typed = sources
    .filter((source) => !named.includes(source))
    .flatMap((source) => {
      const type = source.event_types.find(({ event_type }) => has(event_type));
      return type ? [{ source, eventType: type.event_type }] : [];
    });
  return [...named.sort(byName).map((source) => ({ source, eventType: undefined })), ...typed];
}

/** What needs no app first, then the apps there is a connection to, then the others. */
export function sourceGroups<A extends Searched>(
  sources: readonly A[],
  connected: ReadonlySet<string>,
): readonly SourceGroup<A>[] {
  const of = (fits: (source: A) => boolean) => sources.filter(fits).sort(byName);
  const isApp = ({ category }: A) => category !== BUILT_IN;
  return [
    { name: 'Built in', sources: of((source) => !isApp(source)) },
    { name: 'Connected apps', sources: of((source) => isApp(source) && connected.has(source.app)) },
    { name: 'Apps', sources: of((source) => isApp(source) && !connected.has(source.app)) },
  ].filter((group) => group.sources.length > 0);
}

/** Schedules first: they need no connection. */
const byName = (a: Searched, b: Searched): number =>
  Number(b.app === 'schedule') - Number(a.app === 'schedule') || a.name.localeCompare(b.name);
