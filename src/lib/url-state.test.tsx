import { createMemoryRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { expect, it } from 'vitest';
import { render } from 'vitest-browser-react';
import { useUrlState } from './url-state.ts';

const defaults = { q: '', bulk: '' };

function Page() {
  const [{ q, bulk }, set] = useUrlState(defaults);
  const both = () => {
    set({ bulk: '' });
    set({ q: 'slow' });
  };
  return (
    <>
      <button type="button" onClick={both}>
        Change both
      </button>
      <button type="button" onClick={() => set({ bulk: '' })}>
        Close
      </button>
      <button type="button" onClick={() => set({ q: 'slow' })}>
        Search
      </button>
      <p>{`q=${q} bulk=${bulk}`}</p>
    </>
  );
}

async function shown(loader: () => unknown) {
  const router = createMemoryRouter([{ path: '/events', element: <Page />, loader }], {
    initialEntries: ['/events?bulk=all&other=1'],
    hydrationData: { loaderData: { '0': null } },
  });
  return { router, screen: await render(<RouterProvider router={router} />) };
}

it('keeps every change of one task', async () => {
  const { router, screen } = await shown(() => null);
  await screen.getByText('Change both').click();
  await expect.element(screen.getByText('q=slow bulk=')).toBeVisible();
  expect(router.state.location.search).toBe('?other=1&q=slow');
});

it('keeps a change whose page is still loading', async () => {
  const loading = Promise.withResolvers<null>();
  const { router, screen } = await shown(() => loading.promise);
  await screen.getByText('Close').click();
  expect(router.state.location.search).toBe('?bulk=all&other=1');
  await screen.getByText('Search').click();
  loading.resolve(null);
  await expect.element(screen.getByText('q=slow bulk=')).toBeVisible();
  expect(router.state.location.search).toBe('?other=1&q=slow');
});
