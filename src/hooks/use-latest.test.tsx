import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { useLatest } from './use-latest.ts';

function Editor({ text, seen }: { text: string; seen: (text: string) => void }) {
  const latest = useLatest(text);
  const [save] = useState(() => () => seen(latest.current));
  return (
    <button type="button" onClick={save}>
      Save
    </button>
  );
}

it('a function created once reads the value of the last render', async () => {
  const seen = vi.fn<(text: string) => void>();
  const screen = await render(<Editor text="a" seen={seen} />);
  await screen.rerender(<Editor text="ab" seen={seen} />);
  await screen.getByRole('button', { name: 'Save' }).click();
  expect(seen.mock.calls).toEqual([['ab']]);
});
