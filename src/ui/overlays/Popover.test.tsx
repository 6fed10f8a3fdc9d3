import '../../index.css';
import '../../pages.css';
import { expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { Button } from '../controls/Button.tsx';
import { Popover } from './Popover.tsx';

async function opened() {
  const screen = await render(
    <>
      <Popover label="Time range" trigger={(trigger) => <Button {...trigger}>Custom</Button>}>
        <label>
          From <input />
        </label>
      </Popover>
      <button type="button">elsewhere</button>
    </>,
  );
  await screen.getByRole('button', { name: 'Custom' }).click();
  await expect.element(screen.getByRole('textbox', { name: 'From' })).toHaveFocus();
  return { screen, box: screen.getByRole('dialog', { name: 'Time range' }) };
}

it('closes when its button is pressed again', async () => {
  const { screen, box } = await opened();
  await screen.getByRole('button', { name: 'Custom' }).click();
  await expect.element(box).not.toBeInTheDocument();
});

it('closes when the focus moves to another element', async () => {
  const { screen, box } = await opened();
  await userEvent.keyboard('{Tab}');
  await expect.element(screen.getByRole('button', { name: 'elsewhere' })).toHaveFocus();
  await expect.element(box).not.toBeInTheDocument();
});

it('Escape closes it and returns the focus', async () => {
  const { screen, box } = await opened();
  await userEvent.keyboard('{Escape}');
  await expect.element(box).not.toBeInTheDocument();
  await expect.element(screen.getByRole('button', { name: 'Custom' })).toHaveFocus();
});
