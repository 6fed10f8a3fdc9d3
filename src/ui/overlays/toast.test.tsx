import { afterEach, expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { UiProvider } from '../UiProvider.tsx';
import { dismissToast, raisedToasts, toast } from './toast.ts';

afterEach(() => {
  for (const { id } of raisedToasts()) dismissToast(id);
});

it('shows toasts, including those raised before the first render', async () => {
  toast({ title: 'Raised before anything was drawn' });
  const screen = await render(<UiProvider>page</UiProvider>);
  await expect.element(screen.getByText('Raised before anything was drawn')).toBeVisible();
  toast({ title: 'Replay failed', tone: 'bad', description: 'The destination is disabled.' });
  await expect.element(screen.getByRole('alert').getByText('The destination is disabled.')).toBeVisible();
});

it('runs its action and closes', async () => {
  const onPress = vi.fn();
  const screen = await render(<UiProvider>page</UiProvider>);
  toast({ title: 'Trigger deleted', action: { label: 'Undo', onPress } });
  await screen.getByRole('button', { name: 'Undo' }).click();
  expect(onPress).toHaveBeenCalledOnce();
  await expect.element(screen.getByText('Trigger deleted')).not.toBeInTheDocument();
});

it('a toast dismissed by keyboard returns the focus', async () => {
  const screen = await render(
    <UiProvider>
      <input aria-label="Name" />
    </UiProvider>,
  );
  await screen.getByRole('textbox').click();
  toast({ title: 'Copied elsewhere' });
  await expect.element(screen.getByText('Copied elsewhere')).toBeVisible();
  const dismiss = screen.getByRole('button', { name: 'Dismiss: Copied elsewhere' });
  await expect
    .poll(async () => {
      await userEvent.tab();
      return dismiss.element() === document.activeElement;
    })
    .toBe(true);
  await userEvent.keyboard('{Enter}');
  await expect.element(screen.getByText('Copied elsewhere')).not.toBeInTheDocument();
  await expect.element(screen.getByRole('textbox')).toHaveFocus();
});
