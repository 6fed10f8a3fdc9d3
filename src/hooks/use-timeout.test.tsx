import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { useSlow } from './use-slow.ts';
import { useTimeout } from './use-timeout.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

function Typed({ text, afterMs, say }: { text: string; afterMs: number | undefined; say: (text: string) => void }) {
  useTimeout(() => say(text), afterMs, text);
  return null;
}

it('calls back once after the delay, restarts on a change, and never calls back without a delay', async () => {
  const say = vi.fn<(text: string) => void>();
  const screen = await render(<Typed text="a" afterMs={100} say={say} />);
  vi.advanceTimersByTime(80);
  await screen.rerender(<Typed text="ab" afterMs={100} say={say} />);
  vi.advanceTimersByTime(80);
  expect(say).not.toHaveBeenCalled();
  vi.advanceTimersByTime(20);
  expect(say.mock.calls).toEqual([['ab']]);
  await screen.rerender(<Typed text="abc" afterMs={undefined} say={say} />);
  vi.advanceTimersByTime(1_000);
  await screen.rerender(<Typed text="abcd" afterMs={100} say={say} />);
  await screen.unmount();
  vi.advanceTimersByTime(1_000);
  expect(say).toHaveBeenCalledTimes(1);
});

function Search({ underWay }: { underWay: boolean }) {
  return <p>{useSlow(underWay, 100) ? 'slow' : 'in time'}</p>;
}

it('reports an operation as slow after the delay and until it ends', async () => {
  const screen = await render(<Search underWay />);
  await expect.element(screen.getByText('in time')).toBeInTheDocument();
  vi.advanceTimersByTime(100);
  await expect.element(screen.getByText('slow')).toBeInTheDocument();
  await screen.rerender(<Search underWay={false} />);
  await expect.element(screen.getByText('in time')).toBeInTheDocument();
  await screen.rerender(<Search underWay />);
  vi.advanceTimersByTime(99);
  await expect.element(screen.getByText('in time')).toBeInTheDocument();
});
