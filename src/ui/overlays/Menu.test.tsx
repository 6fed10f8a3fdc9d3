import '../../index.css';
import { expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { Button } from '../controls/Button.tsx';
import { Menu } from './Menu.tsx';
import { MenuItem } from './MenuItem.tsx';

async function opened() {
  const onReplay = vi.fn();
  const onAttempt = vi.fn();
  const screen = await render(
    <>
      <Menu label="Actions" trigger={(trigger) => <Button {...trigger}>Actions</Button>}>
        <MenuItem onSelect={onReplay}>Replay</MenuItem>
        <MenuItem onSelect={onAttempt} reason="The destination is disabled.">
          Attempt now
        </MenuItem>
        <MenuItem onSelect={() => undefined}>Cancel</MenuItem>
      </Menu>
      <p>elsewhere</p>
    </>,
  );
  await screen.getByRole('button', { name: 'Actions' }).click();
  return { screen, onReplay, onAttempt };
}

it('moves with arrows, Home, End and first letters', async () => {
  const { screen } = await opened();
  const item = (name: string) => screen.getByRole('menuitem', { name });
  await expect.element(item('Replay')).toHaveFocus();
  await userEvent.keyboard('{ArrowUp}');
  await expect.element(item('Cancel')).toHaveFocus();
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(item('Replay')).toHaveFocus();
  await userEvent.keyboard('a');
  await expect.element(item('Attempt now')).toHaveFocus();
  await userEvent.keyboard('{End}');
  await expect.element(item('Cancel')).toHaveFocus();
});

it('handles keys that immediately follow the click', async () => {
  const { screen } = await opened();
  await userEvent.keyboard('{Escape}');
  const button = screen.getByRole('button', { name: 'Actions' }).element() as HTMLElement;
  button.click();
  expect(document.activeElement).toBe(screen.getByRole('menuitem', { name: 'Replay' }).element());
});

it('runs the selected action, closes and returns the focus', async () => {
  const { screen, onReplay } = await opened();
  await userEvent.keyboard('{Enter}');
  expect(onReplay).toHaveBeenCalledOnce();
  await expect.element(screen.getByRole('menu')).not.toBeInTheDocument();
  await expect.element(screen.getByRole('button', { name: 'Actions' })).toHaveFocus();
});

it('a disabled item shows the reason and does nothing', async () => {
  const { screen, onAttempt } = await opened();
  const item = screen.getByRole('menuitem', { name: 'Attempt now' });
  await expect.element(item).toHaveAccessibleDescription('The destination is disabled.');
  item.element().dispatchEvent(new MouseEvent('click', { bubbles: true }));
  expect(onAttempt).not.toHaveBeenCalled();
  await expect.element(screen.getByRole('menu')).toBeVisible();
});

it('closes on a click outside', async () => {
  const { screen } = await opened();
  await screen.getByText('elsewhere').click();
  await expect.element(screen.getByRole('menu')).not.toBeInTheDocument();
});
