import { expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { JsonTree } from './JsonTree.tsx';

const PAYLOAD = '{"zeta":1.0,"10":"ten","data":{"object":{"id":12345678901234567890,"lines":[1,2]}},"alpha":true}';

it('preserves the order of keys and the notation of numbers', async () => {
  const screen = await render(<JsonTree label="Payload" text={PAYLOAD} />);
  const rows = screen.getByRole('treeitem').elements();
  const words = rows.map((row) => row.textContent.replace(/(data|zeta|alpha|\["10"\])[\w.[\]]*$/, ''));
  expect(words[0]).toContain('zeta:1.0');
  expect(words[1]).toContain('10:"ten"');
  await expect.element(screen.getByText('12345678901234567890')).toBeVisible();
});

it('moves, expands and collapses with the keyboard', async () => {
  const screen = await render(<JsonTree label="Payload" text={PAYLOAD} depth={1} />);
  const row = (name: string) => screen.getByRole('treeitem', { name: new RegExp(`^${name}:`) });
  await userEvent.tab();
  await expect.element(row('zeta')).toHaveFocus();
  await userEvent.keyboard('{ArrowDown}{ArrowDown}');
  await expect.element(row('data')).toHaveFocus();
  await expect.element(row('data')).toHaveAttribute('aria-expanded', 'true');
  await userEvent.keyboard('{ArrowRight}');
  await expect.element(row('object')).toHaveFocus();
  await userEvent.keyboard('{ArrowRight}');
  await expect.element(row('id')).toBeVisible();
  await userEvent.keyboard('{ArrowLeft}');
  await expect.element(row('id')).not.toBeInTheDocument();
  await userEvent.keyboard('{ArrowLeft}{ArrowLeft}');
  await expect.element(row('data')).toHaveAttribute('aria-expanded', 'false');
  await userEvent.keyboard('{End}');
  await expect.element(row('alpha')).toHaveFocus();
  await userEvent.keyboard('{Home}');
  await expect.element(row('zeta')).toHaveFocus();
});

it('expands long lists in steps', async () => {
  const screen = await render(
    <JsonTree label="Payload" text={JSON.stringify(Array.from({ length: 130 }, (_, i) => i))} />,
  );
  expect(screen.getByRole('treeitem').elements()).toHaveLength(101);
  await screen.getByText('30 more').click();
  await expect.poll(() => screen.getByRole('treeitem').elements().length).toBe(130);
});

it('shows other text unchanged', async () => {
  const screen = await render(<JsonTree label="Payload" text="not json {" />);
  await expect.element(screen.getByText('not json {')).toBeVisible();
});
