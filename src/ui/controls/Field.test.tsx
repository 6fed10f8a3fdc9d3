import { expect, it } from 'vitest';
import { render } from 'vitest-browser-react';
import { Field } from './Field.tsx';
import { Select } from './Select.tsx';
import { TextInput } from './TextInput.tsx';

it('names its control and describes it with the help', async () => {
  const screen = await render(
    <Field label="Name" help="Lower case letters only.">
      <TextInput />
    </Field>,
  );
  const input = screen.getByRole('textbox', { name: 'Name' });
  await expect.element(input).toHaveAccessibleDescription('Lower case letters only.');
  await expect.element(input).not.toHaveAttribute('aria-invalid');
});

it('an error replaces the help and marks the control as invalid', async () => {
  const screen = await render(
    <Field label="Method" help="How it is sent." error="Expected POST or PUT.">
      <Select options={[{ value: 'GET', label: 'GET' }]} />
    </Field>,
  );
  const select = screen.getByRole('combobox', { name: 'Method' });
  await expect.element(select).toHaveAttribute('aria-invalid', 'true');
  await expect.element(select).toHaveAccessibleDescription('Expected POST or PUT.');
  await expect.element(screen.getByRole('alert')).toHaveTextContent('Expected POST or PUT.');
  await expect.element(screen.getByText('How it is sent.')).not.toBeInTheDocument();
});
