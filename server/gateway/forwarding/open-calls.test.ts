import type { ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import type { Call } from './call.ts';
import { OpenCall, OpenCalls } from './open-calls.ts';

class Named extends OpenCall {
  readonly name: string;
  constructor(name: string) {
    super({} as Call, {} as ServerResponse);
    this.name = name;
  }
  cut(): void {}
}

it('lists the calls that were added and not removed, in any order of removal', () => {
  const names = ['a', 'b', 'c', 'd'];
  for (const removed of [['a'], ['b'], ['d'], ['a', 'b'], ['d', 'c'], ['b', 'c'], names, [...names].reverse()]) {
    const open = new OpenCalls();
    const calls = names.map((name) => new Named(name));
    for (const call of calls) open.add(call);
    for (const name of removed) for (const call of calls) if (call.name === name) open.remove(call);
    const left = open.list().map((call) => (call as Named).name);
    expect(left.sort()).toEqual(names.filter((name) => !removed.includes(name)));
    const late = new Named('e');
    open.add(late);
    expect(open.list()).toContain(late);
    open.remove(late);
    expect(open.list()).toHaveLength(left.length);
  }
});

it('removes a call twice without an effect', () => {
  const open = new OpenCalls();
  const [first, second] = [new Named('a'), new Named('b')];
  open.add(first);
  open.add(second);
  open.remove(first);
  open.remove(first);
  expect(open.list()).toEqual([second]);
});
