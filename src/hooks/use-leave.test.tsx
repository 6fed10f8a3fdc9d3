import { expect, it, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { useLeave } from './use-leave.ts';

function Draft({ text, keep }: { text: string; keep: (text: string) => void }) {
  useLeave(() => keep(text));
  return null;
}

it('calls back when it leaves, with what the last render knew', async () => {
  const keep = vi.fn<(text: string) => void>();
  const screen = await render(<Draft text="a" keep={keep} />);
  await screen.rerender(<Draft text="ab" keep={keep} />);
  expect(keep).not.toHaveBeenCalled();
  await screen.unmount();
  expect(keep.mock.calls).toEqual([['ab']]);
});
