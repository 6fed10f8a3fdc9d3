import { expect, it, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { useUnmount } from './use-unmount.ts';

function Draft({ text, keep }: { text: string; keep: (text: string) => void }) {
  useUnmount(() => keep(text));
  return null;
}

it('calls the callback of the last render on unmount', async () => {
  const keep = vi.fn<(text: string) => void>();
  const screen = await render(<Draft text="a" keep={keep} />);
  await screen.rerender(<Draft text="ab" keep={keep} />);
  expect(keep).not.toHaveBeenCalled();
  await screen.unmount();
  expect(keep.mock.calls).toEqual([['ab']]);
});
