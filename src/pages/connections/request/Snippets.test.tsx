import { createMemoryRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { expect, it } from 'vitest';
import { render } from 'vitest-browser-react';
import { Snippets } from './Snippets.tsx';

async function shown(app: string) {
  const call = { baseUrl: 'http://localhost:4400/api', app, connectionId: 'the-id', method: 'GET', path: '/x' };
  const element = <Snippets call={call} hostUrl={`http://${app}.gw.localhost:4400`} />;
  const router = createMemoryRouter([{ path: '/', element }]);
  return { router, screen: await render(<RouterProvider router={router} />) };
}

it('shows an example with the SDK of the app, which the URL keeps', async () => {
  const { router, screen } = await shown('stripe');
  await screen.getByRole('radio', { name: 'stripe' }).click();
  const code = screen.getByRole('group', { name: 'Example with stripe' });
  await expect.element(code).toHaveTextContent("host: 'stripe.gw.localhost'");
  await expect.element(screen.getByRole('button', { name: 'Copy the stripe code' })).toBeVisible();
  await expect.element(screen.getByRole('checkbox', { name: 'Name this connection' })).not.toBeInTheDocument();
  expect(router.state.location.search).toBe('?lang=stripe');
  await screen.getByRole('radio', { name: 'curl' }).click();
  await expect.element(screen.getByRole('group', { name: 'The request in curl' })).toHaveTextContent('the-id');
});

it('shows only the request for an app without an SDK', async () => {
  const { screen } = await shown('ledger');
  await expect.element(screen.getByRole('radio', { name: 'Python' })).toBeVisible();
  expect(screen.getByRole('radio').elements().length).toBe(3);
});
