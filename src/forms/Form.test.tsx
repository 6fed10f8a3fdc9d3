import '../index.css';
import '../pages.css';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import * as z from 'zod/mini';
import { ApiError } from '../api/api-error.ts';
import { Form, FormError } from './Form.tsx';
import { TextField } from './fields.tsx';
import { useSchemaForm } from './use-schema-form.ts';

const schema = z.object({
  name: z.string().check(z.minLength(1, 'Name it.')),
  url: z.string(),
});

function Example({ refuse }: { refuse: (body: unknown) => ApiError | null }) {
  const form = useSchemaForm(schema, { name: '', url: '' });
  const [error, setError] = useState<ApiError | null>(null);
  const [sent, setSent] = useState('');
  return (
    <>
      <Form
        form={form}
        onSubmit={(body) => {
          setSent(JSON.stringify(body));
          setError(refuse(body));
        }}
        submitError={error}
        loading={false}
        submitLabel="Create"
      >
        <TextField control={form.control} name="name" label="Name" />
        <TextField control={form.control} name="url" label="URL" help="Where it goes." />
      </Form>
      <output aria-label="sent">{sent}</output>
    </>
  );
}

const refused = (message: string) =>
  new ApiError({ status: 400, type: 'Bad Request', message, requestId: '019aa6c1-0000-7000-8000-000000000001' });

it('does not submit while a field is invalid, and focuses the field', async () => {
  const screen = await render(<Example refuse={() => null} />);
  await screen.getByRole('button', { name: 'Create' }).click();
  const name = screen.getByLabelText('Name');
  await expect.element(name).toHaveFocus();
  await expect.element(name).toHaveAccessibleDescription('Name it.');
  await expect.element(screen.getByLabelText('sent')).toHaveTextContent('');
});

it('shows the error of a field beside that field', async () => {
  const screen = await render(<Example refuse={() => refused('url: expected an absolute http or https URL')} />);
  await screen.getByLabelText('Name').fill('erp');
  await userEvent.keyboard('{Enter}');
  const url = screen.getByLabelText('URL');
  await expect.element(url).toHaveFocus();
  await expect.element(url).toHaveAccessibleDescription('Expected an absolute http or https URL');
  await expect.element(screen.getByText('Request')).not.toBeInTheDocument();
  // typing clears the error
  await url.fill('https://example.com');
  await expect.element(url).toHaveAccessibleDescription('Where it goes.');
});

it('shows an error without a field above the buttons, with the request ID', async () => {
  const screen = await render(<Example refuse={() => refused('An account needs at least one owner.')} />);
  await screen.getByLabelText('Name').fill('erp');
  await screen.getByRole('button', { name: 'Create' }).click();
  const alert = screen.getByRole('alert');
  await expect.element(alert.getByText('An account needs at least one owner.')).toBeVisible();
  await expect.element(alert.getByText('019aa6c1-0000-7000-8000-000000000001')).toBeVisible();
});

it('focuses the error and scrolls it into view after each rejected submit', async () => {
  const screen = await render(<Example refuse={() => refused('An account needs at least one owner.')} />);
  const name = screen.getByLabelText('Name');
  await name.fill('erp');
  await screen.getByRole('button', { name: 'Create' }).click();
  await expect.element(screen.getByRole('alert')).toHaveFocus();
  await expect.element(screen.getByRole('alert')).toBeInViewport();
  await name.fill('erp 2');
  await userEvent.keyboard('{Enter}');
  await expect.element(screen.getByRole('alert')).toHaveFocus();
});

it('does not move the focus when an error is rendered without a submit', async () => {
  function Standing() {
    const form = useSchemaForm(schema, { name: '', url: '' });
    const [typed, setTyped] = useState('');
    return (
      <>
        <input aria-label="Elsewhere" value={typed} onChange={(event) => setTyped(event.target.value)} />
        <Form
          form={form}
          onSubmit={() => undefined}
          // like a page that rewords errors: a new object on every render
          submitError={refused(`Refused before ${typed}`)}
          loading={false}
          submitLabel="Create"
        >
          <TextField control={form.control} name="name" label="Name" />
        </Form>
        <FormError error={refused(`Another beside ${typed}`)} />
      </>
    );
  }
  const screen = await render(<Standing />);
  await expect.element(screen.getByText('Refused before')).toBeVisible();
  expect(document.activeElement).toBe(document.body);
  await screen.getByLabelText('Elsewhere').click();
  await userEvent.keyboard('typed');
  await expect.element(screen.getByLabelText('Elsewhere')).toHaveValue('typed');
  await expect.element(screen.getByLabelText('Elsewhere')).toHaveFocus();
});
