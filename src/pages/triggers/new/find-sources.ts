/** Orders, groups and filters the sources. */
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
  /** The matching event type, if the name does not match. */
  readonly eventType: string | undefined;
}

const BUILT_IN = 'built-in';

/** Sources whose name, ID or event type contains the text; name matches come first. */
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

/** Built-in sources first, then connected apps, then other apps. */
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

/** Schedules come first: they need no connection. */
const byName = (a: Searched, b: Searched): number =>
  Number(b.app === 'schedule') - Number(a.app === 'schedule') || a.name.localeCompare(b.name);
