/** Ranks apps by a search text, and groups them if there is no text. */

import { APP_CATEGORIES, type AppCategory } from '../../../../contract/states.ts';
import { CATEGORY_NAMES } from '../../../../contract/text/category-names.ts';
import type { App } from '../../../api/entities.ts';
import { OPTIONAL_WORDS, otherWords, singular } from './purpose-words.ts';

type Searched = Pick<App, 'app' | 'name' | 'description' | 'category'>;

/** Custom apps come first: most calls use them. */
const IN_ORDER = APP_CATEGORIES.toSorted((a, b) => {
  if (a === 'custom' || b === 'custom') return a === 'custom' ? -1 : 1;
  return CATEGORY_NAMES[a].localeCompare(CATEGORY_NAMES[b]);
});

/** The rank of a name or description that lacks an optional word. */
const MISSING = 5;

/** The rank, lower is better; undefined is no match. Every word must match, except optional ones beside others. */
function rank({ app, name, description, category }: Searched, words: readonly string[]): number | undefined {
  const called = `${name} ${app}`.toLowerCase();
  const more = `${CATEGORY_NAMES[category]} ${description}`.toLowerCase();
  const all = `${called} ${more}`;
  const needed = words.some((word) => !OPTIONAL_WORDS.has(word));
  const ranks = words.map((word) => {
    if (called.startsWith(word) || app.startsWith(word)) return 0;
    if (called.split(/[^\p{L}\p{N}]+/u).some((part) => part.startsWith(word))) return 1;
    if (called.includes(word)) return 2;
    if (more.includes(singular(word))) return 3;
    if (otherWords(word).some((other) => all.includes(other))) return 4;
    return needed && OPTIONAL_WORDS.has(word) ? MISSING : undefined;
  });
  return ranks.some((each) => each === undefined)
    ? undefined
    : ranks.reduce<number>((sum, each) => sum + (each ?? 0), 0);
}

export function findApps<A extends Searched>(apps: readonly A[], text: string): readonly A[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return apps;
  return apps
    .flatMap((app) => {
      const ranked = rank(app, words);
      return ranked === undefined ? [] : [{ app, ranked }];
    })
    .sort((a, b) => a.ranked - b.ranked)
    .map(({ app }) => app);
}

export type AppGroup<A> = { readonly category: AppCategory; readonly name: string; readonly apps: readonly A[] };

/** The categories of these apps. */
export function groupsOf<A extends Searched>(apps: readonly A[]): readonly AppGroup<A>[] {
  return IN_ORDER.map((category) => ({
    category,
    name: CATEGORY_NAMES[category],
    apps: apps.filter((app) => app.category === category),
  })).filter((group) => group.apps.length > 0);
}
