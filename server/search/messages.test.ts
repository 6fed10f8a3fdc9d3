import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createProgress, type Progress } from './messages.ts';

/** A thread that goes through its places, some of which have a match. */
function* walk(progress: Progress, share: number, places: { place: number; isFound: boolean }[], found: number[]) {
  for (const { place, isFound } of places) {
    if (place > progress.lastPlace() || progress.hasEnoughBefore(place)) return;
    yield;
    if (!isFound) continue;
    found.push(place);
    progress.found(share, place);
  }
}

it('ends threads when enough better places were found, and never before, whichever is ahead', () => {
  const all = fc.array(fc.record({ share: fc.nat(2), isFound: fc.boolean() }), { maxLength: 60 });
  fc.assert(
    fc.property(all, fc.nat(6), fc.infiniteStream(fc.nat(2)), (given, limit, turns) => {
      const first = createProgress(3, limit);
      const found: number[] = [];
      const steps = [0, 1, 2].map((share) => {
        const progress = share === 0 ? first : createProgress(3, limit, first.memory);
        const places = given.flatMap((each, place) => (each.share === share ? [{ place, isFound: each.isFound }] : []));
        return walk(progress, share, places, found);
      });
      const ended = new Set<number>();
      for (const turn of turns) {
        if (steps[turn]?.next().done) ended.add(turn);
        if (ended.size === steps.length) break;
      }
      const wanted = given.flatMap(({ isFound }, place) => (isFound ? [place] : []));
      const most = limit + 1;
      expect(found.sort((a, b) => a - b).slice(0, most)).toEqual(wanted.slice(0, most));
    }),
  );
});

it('lets a thread skip the places after enough finds of another thread', () => {
  const mine = createProgress(2, 2);
  const other = createProgress(2, 2, mine.memory);
  for (const place of [3, 5, 9, 11]) other.found(1, place);
  expect([mine.hasEnoughBefore(9), mine.hasEnoughBefore(10)]).toEqual([false, true]);
  expect(mine.lastPlace()).toBeGreaterThan(1e9);
  other.endAt(7);
  other.endAt(8);
  expect(mine.lastPlace()).toBe(7);
  expect(mine.isStopped()).toBe(false);
  other.stop();
  expect(mine.isStopped()).toBe(true);
});
