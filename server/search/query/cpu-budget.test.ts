import type { RE2JS } from 're2js';
import { expect, it } from 'vitest';
import { cpuBudgetFor, hasTimeFor } from './cpu-budget.ts';

const text = 'x'.repeat(2_000_000);

/** An expression that uses this much CPU time per piece of text. */
function taking(msOf: (piece: number) => number) {
  let asked = 0;
  const test = () => {
    const { user, system } = process.threadCpuUsage();
    const until = user + system + 1000 * msOf(asked++);
    for (let now = 0; now < until; ) {
      const used = process.threadCpuUsage();
      now = used.user + used.system;
    }
    return false;
  };
  return { expression: { test } as unknown as RE2JS, asked: () => asked };
}

it('abandons a text whose pieces take long, after few of them', () => {
  const { expression, asked } = taking(() => 10);
  expect(hasTimeFor(expression, text, cpuBudgetFor(text.length))).toBe(false);
  expect(asked()).toBeLessThan(10);
});

it('attributes the time of one or two slow pieces to other work of the thread', () => {
  const { expression, asked } = taking((piece) => (piece === 0 || piece === 50 ? 100 : 0));
  expect(hasTimeFor(expression, text, cpuBudgetFor(text.length))).toBe(true);
  expect(asked()).toBeGreaterThan(100);
});
