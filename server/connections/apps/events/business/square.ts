/** The examples that Square publishes and sends as test events, shortened. */
import { eventTypes, parameters } from '../../source.ts';

const event = (type: string, event_id: string, created_at: string, data: object) => ({
  merchant_id: 'MLTZ79VE64YTN',
  type,
  event_id,
  created_at,
  data,
});
const order = { created_at: '2020-04-16T23:14:26.129Z', location_id: 'FPYCBCHYMXFK1', state: 'OPEN' };
const orderId = 'eA3vssLHKJrv9H0IdJCM3gNqfdcZY';
const orderCreated = event('order.created', '03441e3a-47f1-49a7-a64c-55ab26703f8d', '2023-03-14T01:42:54.984089903Z', {
  type: 'order',
  id: orderId,
  object: { order_created: { ...order, order_id: orderId, version: 1 } },
});
const orderUpdated = event('order.updated', '7e1d596e-ebf1-443d-87aa-a5f397bce1e5', '2023-03-14T01:56:10.454184371Z', {
  type: 'order',
  id: orderId,
  object: { order_updated: { ...order, order_id: orderId, updated_at: '2020-04-16T23:14:26.359Z', version: 2 } },
});
const customerCreated = event(
  'customer.created',
  '2985c7c7-2ccc-409e-8aba-998684732cab',
  '2023-03-14T01:57:28.679389163Z',
  {
    type: 'customer',
    id: 'QPTXM8PQNX3Q726ZYHPMNP46XC',
    object: {
      customer: {
        birthday: '1962-03-04',
        created_at: '2022-11-09T21:23:25.519Z',
        creation_source: 'DIRECTORY',
        email_address: 'jenkins+smorly@squareup.com',
        family_name: 'Smorly',
        given_name: 'Jenkins',
        id: 'QPTXM8PQNX3Q726ZYHPMNP46XC',
        updated_at: '2022-11-09T21:23:25Z',
        version: 0,
      },
    },
  },
);
const customerUpdated = event(
  'customer.updated',
  'f6e89469-de2f-4ae4-84c7-83a95681759a',
  '2023-03-14T01:58:22.076902762Z',
  {
    type: 'customer',
    id: 'A0AP25A6SCVTH8JES9BX01GXM4',
    object: {
      customer: {
        created_at: '2022-07-09T18:23:01.795Z',
        creation_source: 'THIRD_PARTY',
        email_address: 'jenkins+smorly@squareup.com',
        family_name: 'Smorly',
        given_name: 'Jenkins',
        id: 'A0AP25A6SCVTH8JES9BX01GXM4',
        updated_at: '2022-11-09T21:38:30Z',
        version: 1,
      },
    },
  },
);
const paymentCreated = event(
  'payment.created',
  '11fb274d-6882-417a-879c-faec367e0665',
  '2023-03-14T02:00:56.000119371Z',
  {
    type: 'payment',
    id: 'KkAkhdMsgzn59SM8A89WgKwekxLZY',
    object: {
      payment: {
        amount_money: { amount: 100, currency: 'USD' },
        approved_money: { amount: 100, currency: 'USD' },
        card_details: { card: { card_brand: 'MASTERCARD', last_4: '9029' }, status: 'AUTHORIZED' },
        created_at: '2020-11-22T21:16:51.086Z',
        id: 'hYy9pRFVxpDsO1FB05SunFWUe9JZY',
        location_id: 'S8GWD5R9QB376',
        order_id: '03O3USaPaAaFnI6kkwB1JxGgBsUZY',
        status: 'APPROVED',
      },
    },
  },
);
const invoiceCreated = event(
  'invoice.created',
  'ee17dc22-5e38-4aba-ad15-af8e25adcc93',
  '2023-03-14T02:01:46.497709569Z',
  {
    type: 'invoice',
    id: 'inv:0-ChCHu2mZEabLeeHahQnXDjZQECY',
    object: {
      invoice: {
        id: 'inv:0-ChCHu2mZEabLeeHahQnXDjZQECY',
        invoice_number: 'inv-100',
        status: 'DRAFT',
        title: 'Event Planning Services',
      },
    },
  },
);

export const squareEvents = eventTypes(
  parameters({
    merchant: {
      type: 'string',
      title: 'Merchant',
      description: 'Only events of the seller with this merchant ID.',
      pattern: '^[A-Za-z0-9_-]{1,64}$',
      examples: ['MLTZ79VE64YTN'],
    },
  }),
  {
    'payment.created': ['A payment was created.', paymentCreated],
    'order.created': ['An order was created.', orderCreated],
    'order.updated': ['An order changed.', orderUpdated],
    'customer.created': ['A customer was created.', customerCreated],
    'customer.updated': ['A customer changed.', customerUpdated],
    'invoice.created': ['An invoice was created.', invoiceCreated],
    '*': ['Every event that is sent to the URL.', paymentCreated],
  },
);
