/** The order of a destination: set in its editor, and a delivery that waits for another. */
import { expect, test } from '../support/fixtures.ts';

test('a destination gets events in order, and one that failed for good is canceled', async ({
  signedIn: page,
  service,
  sink,
  axe,
}) => {
  const { trigger } = await service.call('triggerCreate', {
    body: {
      source: 'schedule',
      event_type: 'schedule.elapsed',
      name: 'ordered',
      parameters: { cron_expression: '0 0 1 1 *' },
      destinations: [{ url: `${sink.url}/broken/ordered`, name: 'erp', retry_schedule: [] }],
    },
  });
  const { trigger_id, destinations } = trigger;
  const destination_id = destinations[0]?.destination_id ?? '';
  const send = (payload: Record<string, unknown>) =>
    service.call('triggerTest', { params: { trigger_id }, body: { payload } });
  await page.goto(`${service.url}/triggers/${trigger_id}/destinations/${destination_id}`);
  const editor = page.getByRole('complementary', { name: 'erp' });
  await editor.getByLabel('Order', { exact: true }).selectOption('by key');
  await editor.getByLabel('Order key').fill('customer.id');
  await editor.getByRole('button', { name: 'Save changes' }).click();
  await expect(editor.getByText('Enter a path such as payload.customer.id.')).toBeVisible();
  await axe('an order with an invalid key');
  await editor.getByLabel('Order key').fill('payload.customer.id');
  await page.keyboard.press('Control+s');
  await expect(editor.getByRole('button', { name: 'Save changes' })).toBeHidden();
  const read = async () =>
    (await service.call('destinationGet', { params: { trigger_id, destination_id } })).destination;
  expect(await read()).toMatchObject({
    ordering: { by: 'KEY', key: 'payload.customer.id', after_last_attempt: 'BLOCK' },
  });

  const customer = { id: 'c-1' };
  const { event: first } = await send({ n: 1, customer });
  const { event: second } = await send({ n: 2, customer });
  await page.goto(`${service.url}/events/${trigger_id}/${second.event_id}`);
  const panel = page.getByRole('complementary');
  await expect(panel.getByText(/an earlier delivery has not ended/)).toBeVisible();
  await axe('a delivery that waits in order');
  await panel.getByRole('link', { name: 'The event it waits for' }).click();
  await expect(page).toHaveURL(new RegExp(first.event_id));
  await expect(panel.getByText(/The later events of its order wait/)).toBeVisible();
  await panel.getByRole('button', { name: 'Cancel delivery to erp' }).click();
  await expect(panel.getByText('The delivery was canceled.')).toBeVisible();
  const numbers = () =>
    sink.received.filter((each) => each.path === '/broken/ordered').map(({ body }) => JSON.parse(body).data.n);
  await expect.poll(numbers).toEqual([1, 2]);
});
