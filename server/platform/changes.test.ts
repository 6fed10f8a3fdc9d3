import { expect, it } from 'vitest';
import { reactions } from '../reactions.ts';
import { type Change, createChanges, type Noun, type ReactionTable } from './changes.ts';

/** Reactions that only record their calls. */
function start() {
  const said: string[] = [];
  const noting = (noun: Noun) => ({
    onEveryNode: reactions[noun].onEveryNode.map(() => (_: object, change: Change, account_id: string) => {
      said.push(`${account_id} ${change.noun} here`);
    }),
    shown: reactions[noun].shown,
  });
  const nouns = Object.keys(reactions) as Noun[];
  const table = Object.fromEntries(nouns.map((noun) => [noun, noting(noun)])) as unknown as ReactionTable<object>;
  const changes = createChanges(table, {
    parts: () => ({}),
    broadcast: (account_id, { noun }) => said.push(`${account_id} ${noun} sent`),
    show: (account_id, { noun }) => said.push(`${account_id} ${noun} shown`),
  });
  return { ...changes, said };
}

it('reacts here, broadcasts to the other nodes once, and publishes the live change', () => {
  const { changed, said } = start();
  changed('a', { noun: 'star', function_id: 'f' });
  expect(said).toEqual(['a star here', 'a star sent', 'a function shown']);
});

it('does not broadcast changes for consoles only, which get them from the live stream', () => {
  const { changed, said } = start();
  changed('a', { noun: 'connection_use', connection_id: 'c', status: 'ACTIVE' });
  expect(said).toEqual(['a connection shown']);
});

it('publishes nothing to consoles for a change that no page depends on', () => {
  const { changed, said } = start();
  changed('a', { noun: 'credentials', connection_id: 'c' });
  expect(said).toEqual(['a credentials here', 'a credentials sent']);
});

it('reacts to a change of another node without broadcasting it, and ignores an unknown noun', () => {
  const { receive, said } = start();
  receive('a', { noun: 'api_key', hash: 'h' });
  receive('a', { noun: 'of a later version' } as unknown as Change);
  expect(said).toEqual(['a api_key here']);
});
