import { createMemoryRouter, useSearchParams } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { useDebouncedFilter } from './use-debounced-filter.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

function List() {
  const [params, setParams] = useSearchParams();
  const [text, setText] = useDebouncedFilter(params.get('q') ?? '', (q) => setParams({ q }));
  return <input aria-label="Search" value={text} onChange={(event) => setText(event.target.value)} />;
}

async function shown() {
  const load = vi.fn(() => new Promise((resolve) => setTimeout(() => resolve(null), 5000)));
  const router = createMemoryRouter(
    [
      { path: '/runs', element: <List /> },
      { path: '/runs/1', loader: load, element: <p>the run</p> },
    ],
    { initialEntries: ['/runs'] },
  );
  const screen = await render(<RouterProvider router={router} />);
  return { router, screen, field: screen.getByRole('textbox', { name: 'Search' }) };
}

it('updates the URL after the debounce', async () => {
  const { router, field } = await shown();
  await field.fill('slow');
  expect(router.state.location.search).toBe('');
  vi.advanceTimersByTime(250);
  await expect.poll(() => router.state.location.search).toBe('?q=slow');
});

it('does not cancel a navigation to another page, rendered or not', async () => {
  const { router, screen, field } = await shown();
  await field.fill('1');
  void router.navigate('/runs/1');
  // in the same task, before a render
  vi.advanceTimersByTime(250);
  expect(router.state.navigation.location?.pathname).toBe('/runs/1');
  vi.advanceTimersByTime(5000);
  await expect.element(screen.getByText('the run')).toBeVisible();
});
