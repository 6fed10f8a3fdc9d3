import '../../index.css';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { Button } from '../controls/Button.tsx';
import { ConfirmDialog } from './ConfirmDialog.tsx';

function Page({ onConfirm, typeName }: { onConfirm: () => unknown; typeName?: string }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Delete…</Button>
      <ConfirmDialog
        open={open}
        onClose={() => setOpen(false)}
        title="Delete trigger billing"
        confirmLabel="Delete trigger"
        onConfirm={onConfirm}
        typeName={typeName}
      >
        Its 2 destinations go with it.
      </ConfirmDialog>
    </>
  );
}

it('focuses Cancel, closes on Escape and returns the focus', async () => {
  const screen = await render(<Page onConfirm={vi.fn()} />);
  const opener = screen.getByRole('button', { name: 'Delete…' });
  await opener.click();
  await expect.element(screen.getByRole('dialog', { name: 'Delete trigger billing' })).toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'Cancel' })).toHaveFocus();
  await userEvent.keyboard('{Escape}');
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument();
  await expect.element(opener).toHaveFocus();
});

it('requires the exact name before it confirms', async () => {
  const onConfirm = vi.fn();
  const screen = await render(<Page onConfirm={onConfirm} typeName="billing" />);
  await screen.getByRole('button', { name: 'Delete…' }).click();
  const confirm = screen.getByRole('button', { name: 'Delete trigger' });
  const field = screen.getByRole('textbox', { name: 'Type billing to confirm' });
  await expect.element(field).toHaveFocus();
  await field.fill('bill');
  await userEvent.keyboard('{Enter}');
  await expect.element(confirm).toHaveAttribute('aria-disabled', 'true');
  expect(onConfirm).not.toHaveBeenCalled();
  await field.fill('billing');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => onConfirm.mock.calls.length).toBe(1);
});

it('confirms only once while the first one is in progress', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const onConfirm = vi.fn(() => promise);
  const screen = await render(<Page onConfirm={onConfirm} />);
  await screen.getByRole('button', { name: 'Delete…' }).click();
  const confirm = screen.getByRole('button', { name: 'Delete trigger' });
  await confirm.click();
  await expect.element(confirm).toHaveAttribute('aria-busy', 'true');
  confirm.element().dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
  expect(onConfirm).toHaveBeenCalledOnce();
  resolve();
  await expect.element(confirm).not.toHaveAttribute('aria-busy');
});

it('does not submit the form that it is opened in', async () => {
  const onConfirm = vi.fn();
  const onSubmit = vi.fn();
  const screen = await render(
    <form onSubmit={onSubmit}>
      <Page onConfirm={onConfirm} />
    </form>,
  );
  await screen.getByRole('button', { name: 'Delete…' }).click();
  await screen.getByRole('button', { name: 'Delete trigger' }).click();
  await vi.waitFor(() => expect(onConfirm).toHaveBeenCalledOnce());
  expect(onSubmit).not.toHaveBeenCalled();
});
