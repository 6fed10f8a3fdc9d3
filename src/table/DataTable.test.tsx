import '../index.css';
import '../pages.css';
import type { RowSelectionState } from '@tanstack/react-table';
import { useState } from 'react';
import { createMemoryRouter, Outlet, useLocation, useParams } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { columnsOf } from './columns.ts';
import { DataTable } from './DataTable.tsx';

type Row = { id: string; name: string; state?: string };
const row = (n: number): Row => ({ id: `id-${n}`, name: `event ${n}` });
const rowsFrom = (newest: number, count: number) => Array.from({ length: count }, (_, index) => row(newest - index));
const col = columnsOf<Row>();
const columns = col.columns([
  col.accessor('name', { header: 'Name', meta: { width: '1fr', phone: 'lead' } }),
  col.accessor('id', { header: 'Id', meta: { width: '200px', phone: 'below' } }),
]);
const rowId = ({ id }: Row) => id;
const rowLink = ({ id }: Row) => `/events/${id}`;

let setRows: (rows: Row[]) => void;

function List() {
  const [rows, set] = useState(() => rowsFrom(1000, 500));
  const [selected, setSelected] = useState<RowSelectionState>({});
  const { id } = useParams();
  setRows = set;
  return (
    <div style={{ display: 'flex', flexDirection: 'column', height: 400, width: 900 }}>
      <DataTable
        label="Events"
        rows={rows}
        columns={columns}
        rowId={rowId}
        rowName={({ name }) => name}
        rowLink={rowLink}
        rowVersion={({ state }) => state ?? ''}
        currentId={id}
        selection={{ state: selected, onChange: setSelected }}
      />
      <output aria-label="selected">{Object.keys(selected).join(' ')}</output>
      <output aria-label="at">{useLocation().pathname}</output>
      <Outlet />
    </div>
  );
}

async function shown() {
  await page.viewport(1000, 700);
  const router = createMemoryRouter(
    [
      { path: '/elsewhere', element: <p>elsewhere</p> },
      {
        path: '/events',
        element: <List />,
        children: [{ path: ':id', element: <textarea aria-label="in the panel" /> }],
      },
    ],
    // a new history entry, because lists restore their scroll position per entry
    { initialEntries: [{ pathname: '/events', key: crypto.randomUUID() }] },
  );
  const screen = await render(<RouterProvider router={router} />);
  const link = (name: string) => screen.getByRole('link', { name, exact: true });
  await expect.element(link('event 1000')).toBeVisible();
  return { screen, router, link, at: screen.getByLabelText('at'), selected: screen.getByLabelText('selected') };
}

const region = () => document.querySelector<HTMLElement>('[role="group"][aria-label="Events, list"]');
const topOf = (name: string) =>
  [...document.querySelectorAll('a')].find((a) => a.textContent === name)?.getBoundingClientRect().top;

it('renders only visible rows and reports the total', async () => {
  const { screen } = await shown();
  expect(document.querySelectorAll('tbody tr').length).toBeLessThan(60);
  await expect.element(screen.getByRole('table', { name: 'Events' })).toHaveAttribute('aria-rowcount', '501');
});

it('moves with j and k, opens with Enter, selects with x', async () => {
  const { link, at, selected } = await shown();
  await userEvent.keyboard('j');
  await expect.element(link('event 1000')).toHaveFocus();
  await userEvent.keyboard('jjk');
  await expect.element(link('event 999')).toHaveFocus();
  await userEvent.keyboard('x');
  await expect.element(selected).toHaveTextContent('id-999');
  await userEvent.keyboard('{Enter}');
  await expect.element(at).toHaveTextContent('/events/id-999');
});

it('moves beyond the rendered rows', async () => {
  const { link } = await shown();
  await userEvent.keyboard('j'.repeat(40));
  await expect.element(link('event 961')).toHaveFocus();
  await expect.element(link('event 961')).toBeInViewport();
});

it('changes the open panel while moving, and keeps the focus in it', async () => {
  const { screen, link, at } = await shown();
  await link('event 1000').click();
  await expect.element(at).toHaveTextContent('/events/id-1000');
  await userEvent.keyboard('j');
  await expect.element(at).toHaveTextContent('/events/id-999');
  await expect.element(link('event 999')).toHaveFocus();
  const field = screen.getByLabelText('in the panel');
  await field.click();
  await userEvent.keyboard('j');
  await expect.element(field).toHaveValue('j');
  await expect.element(at).toHaveTextContent('/events/id-999');
});

it('a click anywhere on a row opens it, a click on its checkbox does not', async () => {
  const { screen, at, selected } = await shown();
  await screen.getByRole('checkbox', { name: 'Select event 998' }).click();
  await expect.element(selected).toHaveTextContent('id-998');
  await expect.element(at).toHaveTextContent('/events');
  await screen.getByRole('cell', { name: 'id-997' }).click();
  await expect.element(at).toHaveTextContent('/events/id-997');
});

it('keeps the visible rows in place when rows are inserted above', async () => {
  await shown();
  const list = region();
  if (!list) throw new Error('no list');
  list.scrollTop = 3210;
  await expect.poll(() => topOf('event 895')).toBeDefined();
  const before = topOf('event 895');
  setRows(rowsFrom(1025, 525));
  await expect.poll(() => list.scrollTop).toBe(3210 + 25 * 32);
  // rows in view render after the list has scrolled
  await expect.poll(() => topOf('event 895')).toBe(before);
});

it('restores the scroll position after Back', async () => {
  const { router } = await shown();
  const list = region();
  if (!list) throw new Error('no list');
  list.scrollTop = 1600;
  await expect.poll(() => topOf('event 949')).toBeDefined();
  await router.navigate('/elsewhere');
  await expect.poll(region).toBeNull();
  await router.navigate(-1);
  await expect.poll(() => region()?.scrollTop).toBe(1600);
});

it('shows new rows at the top if it is not scrolled', async () => {
  const { link } = await shown();
  setRows(rowsFrom(1001, 501));
  await expect.element(link('event 1001')).toBeInViewport();
  expect(region()?.scrollTop).toBe(0);
});

const figure = (id: string, fold?: true | 'late') =>
  col.display({ id, header: id, meta: { width: '120px', fold }, cell: () => '12' });
const manyColumns = col.columns([
  col.accessor('name', { header: 'Name', meta: { width: 'minmax(160px, 1fr)', phone: 'lead' } }),
  col.accessor('id', { header: 'Id', meta: { width: '200px', phone: 'below' } }),
  figure('Attempts', 'late'),
  figure('Failures', 'late'),
  figure('Created', true),
  figure('Changed', true),
]);

it.each([
  [1000, 'Name Id Attempts Failures Created Changed'],
  [930, 'Name Id Attempts Failures Created'],
  [839, 'Name Id Attempts Failures'],
  [670, 'Name Id Attempts'],
  [561, 'Name Id'],
])('at %i px, the columns that have room are shown: %s', async (width, expected) => {
  await page.viewport(1100, 700);
  const list = (
    <div style={{ display: 'flex', height: 400, width }}>
      <DataTable
        label="Events"
        rows={rowsFrom(1000, 5)}
        columns={manyColumns}
        rowId={rowId}
        selection={{ state: {}, onChange: () => undefined }}
      />
    </div>
  );
  const router = createMemoryRouter([{ path: '*', element: list }]);
  const screen = await render(<RouterProvider router={router} />);
  await expect.element(screen.getByRole('columnheader', { name: 'Name' })).toBeVisible();
  const heads = () => [...document.querySelectorAll('th')].map((head) => head.textContent).filter(Boolean);
  await expect.poll(() => heads().join(' ')).toBe(expected);
  const scrolls = region();
  expect(scrolls?.scrollWidth).toBe(scrolls?.clientWidth);
});

it('tints the row that changed, and no other', async () => {
  await shown();
  const tinted: (string | null)[] = [];
  const animate = vi.spyOn(Element.prototype, 'animate').mockImplementation(function (this: Element) {
    tinted.push(this.getAttribute('data-row'));
    return new Animation();
  });
  setRows(rowsFrom(1000, 500).map((each) => (each.id === 'id-999' ? { ...each, state: 'failed' } : each)));
  await expect.poll(() => tinted).toEqual(['id-999']);
  animate.mockRestore();
});
