import { expect, test } from 'vitest';
import { render } from 'vitest-browser-react';
import type { Replay } from '../../api/entities.ts';
import { Progress } from './Progress.tsx';

const replay: Replay = {
  replay_id: '01a1ff37-5be7-76b9-9cb2-9aef692ca0ac',
  status: 'RUNNING',
  reason: null,
  total: 5,
  gathering: false,
  done: 4,
  succeeded: 1,
  failed: 1,
  skipped: 2,
  rate_per_second: 20,
  current_rate_per_second: null,
  seconds_left: null,
  function_version: null,
  has_body_template: false,
  problem_id: null,
  transform: 'NOW',
  canary: null,
  created_by: 'Ada',
  created_at: '2026-11-21T00:00:00.000000Z',
  updated_at: '2026-11-21T00:00:00.000000Z',
  finished_at: null,
};

test('skipped deliveries are counted once, among those done', async () => {
  const screen = await render(<Progress replay={replay} />);
  await expect
    .element(screen.getByRole('status'))
    .toHaveTextContent('4 of 5 deliveries done: 1 succeeded, 1 failed, 2 skipped');
  await expect.element(screen.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '4');
});

test('while deliveries are collected, no percentage is shown', async () => {
  const screen = await render(<Progress replay={{ ...replay, gathering: true, done: 0 }} />);
  await expect
    .element(screen.getByRole('status'))
    .toHaveTextContent('Collecting matching deliveries: 5 so far. Sending starts once all are collected.');
  expect(screen.getByRole('progressbar').elements()).toEqual([]);
});

test('a running replay shows its rate and the time left', async () => {
  const running = { ...replay, current_rate_per_second: 480.4, seconds_left: 125 };
  const screen = await render(<Progress replay={running} />);
  await expect
    .element(screen.getByRole('status'))
    .toHaveTextContent(
      '4 of 5 deliveries done: 1 succeeded, 1 failed, 2 skipped. 480 a second now, about 2 min 5 s left',
    );
  await screen.rerender(<Progress replay={{ ...running, current_rate_per_second: 0, seconds_left: null }} />);
  await expect
    .element(screen.getByRole('status'))
    .toHaveTextContent('4 of 5 deliveries done: 1 succeeded, 1 failed, 2 skipped. 0 a second now');
});
