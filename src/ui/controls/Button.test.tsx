import '../../index.css';
import { expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { Button } from './Button.tsx';

it('calls its handler when clicked', async () => {
  const onClick = vi.fn();
  const screen = await render(<Button onClick={onClick}>Replay</Button>);
  await screen.getByRole('button', { name: 'Replay' }).click();
  expect(onClick).toHaveBeenCalledOnce();
});

it('with a reason it is disabled, stays focusable and shows the reason', async () => {
  const onClick = vi.fn();
  const onSubmit = vi.fn((event: { preventDefault: () => void }) => event.preventDefault());
  const screen = await render(
    <form onSubmit={onSubmit}>
      <Button type="submit" reason="The destination is disabled." onClick={onClick}>
        Replay
      </Button>
    </form>,
  );
  const button = screen.getByRole('button', { name: 'Replay' });
  await expect.element(button).toHaveAttribute('aria-disabled', 'true');
  await expect.element(button).toHaveAccessibleDescription('The destination is disabled.');
  await userEvent.tab();
  await expect.element(button).toHaveFocus();
  await expect.element(screen.getByRole('tooltip')).toBeVisible();
  await userEvent.keyboard('{Enter}');
  expect(onClick).not.toHaveBeenCalled();
  expect(onSubmit).not.toHaveBeenCalled();
});

it('hides the reason on Escape', async () => {
  const screen = await render(<Button reason="Nothing changed.">Save</Button>);
  await userEvent.tab();
  await expect.element(screen.getByText('Nothing changed.')).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(screen.getByText('Nothing changed.')).not.toBeVisible();
});
