import { StrictMode } from 'react';
import { expect, it, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { useChange } from './use-change.ts';

function Row({ version, note, seen }: { version: string; note: string; seen: (what: string) => void }) {
  useChange(version, () => seen(`${version} ${note}`));
  return null;
}

it('calls back once per change with the latest props, and not after the first render', async () => {
  const seen = vi.fn<(what: string) => void>();
  const row = (version: string, note: string) => (
    <StrictMode>
      <Row version={version} note={note} seen={seen} />
    </StrictMode>
  );
  const screen = await render(row('1', 'first'));
  await screen.rerender(row('1', 'same'));
  expect(seen).not.toHaveBeenCalled();
  await screen.rerender(row('2', 'second'));
  await screen.rerender(row('2', 'same'));
  await screen.rerender(row('1', 'back'));
  expect(seen.mock.calls.flat()).toEqual(['2 second', '1 back']);
});
