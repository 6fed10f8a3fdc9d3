import { useLayoutEffect, useRef, useState } from 'react';
import { expect, it, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { useListener } from './use-listener.ts';

interface BoxProps {
  seen: (what: string) => void;
  enabled?: boolean;
}

function Box({ seen, enabled = true }: BoxProps) {
  const box = useRef<HTMLDivElement>(null);
  const [presses, setPresses] = useState(0);
  useListener(
    box,
    ['click', 'focusin'],
    ({ type }) => {
      seen(`${type} after ${presses}`);
      if (type === 'click') setPresses(presses + 1);
    },
    { enabled },
  );
  useListener(box, 'click', ({ target }) => seen(`ahead of ${(target as Element).tagName}`), { capture: true });
  useListener(window, 'keydown', ({ key }) => seen(key), { enabled });
  return (
    <div ref={box}>
      <button type="button">Press</button>
    </div>
  );
}

const press = (key: string) => window.dispatchEvent(new KeyboardEvent('keydown', { key }));

it('calls the handler of the last render for each event type, on an element and on the window', async () => {
  const seen = vi.fn<(what: string) => void>();
  const screen = await render(<Box seen={seen} />);
  const button = screen.getByRole('button', { name: 'Press' });
  await button.click();
  await button.click();
  press('j');
  expect(seen.mock.calls.flat()).toEqual([
    'focusin after 0',
    'ahead of BUTTON',
    'click after 0',
    'ahead of BUTTON',
    'click after 1',
    'j',
  ]);
});

it('does not call the handler while disabled or after unmount', async () => {
  const seen = vi.fn<(what: string) => void>();
  const screen = await render(<Box seen={seen} enabled={false} />);
  press('a');
  await screen.rerender(<Box seen={seen} />);
  press('b');
  await screen.unmount();
  press('c');
  expect(seen.mock.calls.flat()).toEqual(['b']);
});

it('handles a key pressed before the first paint', async () => {
  const seen = vi.fn<(what: string) => void>();
  function Page() {
    useLayoutEffect(() => void press('k'), []);
    return <Box seen={seen} />;
  }
  await render(<Page />);
  expect(seen).toHaveBeenCalledWith('k');
});
