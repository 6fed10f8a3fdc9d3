import '../../index.css';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { Button } from '../controls/Button.tsx';
import { SearchInput } from '../controls/SearchInput.tsx';
import { ConfirmDialog } from './ConfirmDialog.tsx';
import { Menu } from './Menu.tsx';
import { MenuItem } from './MenuItem.tsx';
import { Panel } from './Panel.tsx';

function Page() {
  const [open, setOpen] = useState(false);
  const [asking, setAsking] = useState(false);
  const [text, setText] = useState('');
  return (
    <>
      <Button onClick={() => setOpen(true)}>Open row</Button>
      {open ? (
        <Panel mode="over" title="Destination erp" onClose={() => setOpen(false)}>
          <SearchInput label="Headers" value={text} onChange={setText} />
          <Button onClick={() => setAsking(true)}>Delete…</Button>
          <Menu label="Actions" trigger={(trigger) => <Button {...trigger}>Actions</Button>}>
            <MenuItem onSelect={() => undefined}>Replay</MenuItem>
          </Menu>
        </Panel>
      ) : null}
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title="Delete erp"
        confirmLabel="Delete"
        onConfirm={() => undefined}
      >
        Gone for good.
      </ConfirmDialog>
    </>
  );
}

it('closes on Escape and returns the focus to the opener', async () => {
  const screen = await render(<Page />);
  const row = screen.getByRole('button', { name: 'Open row' });
  await row.click();
  await expect.element(screen.getByRole('complementary', { name: 'Destination erp' })).toHaveFocus();
  await userEvent.keyboard('{Escape}');
  await expect.element(screen.getByRole('complementary')).not.toBeInTheDocument();
  await expect.element(row).toHaveFocus();
});

it('leaves Escape to the dialog above it', async () => {
  const screen = await render(<Page />);
  await screen.getByRole('button', { name: 'Open row' }).click();
  await screen.getByRole('button', { name: 'Delete…' }).click();
  await expect.element(screen.getByRole('dialog', { name: 'Delete erp' })).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument();
  await expect.element(screen.getByRole('complementary')).toBeVisible();
});

it('leaves Escape to the menu opened in it', async () => {
  const screen = await render(<Page />);
  await screen.getByRole('button', { name: 'Open row' }).click();
  await screen.getByRole('button', { name: 'Actions' }).click();
  await expect.element(screen.getByRole('menuitem', { name: 'Replay' })).toHaveFocus();
  await userEvent.keyboard('{Escape}');
  await expect.element(screen.getByRole('menu')).not.toBeInTheDocument();
  await expect.element(screen.getByRole('button', { name: 'Actions' })).toHaveFocus();
  await expect.element(screen.getByRole('complementary')).toBeVisible();
});

it('leaves Escape to a search field with text', async () => {
  const screen = await render(<Page />);
  await screen.getByRole('button', { name: 'Open row' }).click();
  const search = screen.getByRole('textbox', { name: 'Headers' });
  await search.fill('retry');
  await userEvent.keyboard('{Escape}');
  await expect.element(search).toHaveValue('');
  await expect.element(screen.getByRole('complementary')).toBeVisible();
});
