/**
 * The body of a webhook is the resource of its topic, so samples are those of WooCommerce's REST API documentation
 * (woocommerce/woocommerce-rest-api-docs), shortened.
 */
import { eventTypes, parameters } from '../../source.ts';

const dates = (created: string, createdGmt: string, modified: string, modifiedGmt: string) => ({
  date_created: created,
  date_created_gmt: createdGmt,
  date_modified: modified,
  date_modified_gmt: modifiedGmt,
});
const billing = {
  first_name: 'John',
  last_name: 'Doe',
  company: '',
  address_1: '969 Market',
  address_2: '',
  city: 'San Francisco',
  state: 'CA',
  postcode: '94103',
  country: 'US',
  email: 'john.doe@example.com',
  phone: '(555) 555-5555',
};
const order = {
  id: 727,
  parent_id: 0,
  number: '727',
  order_key: 'wc_order_58d2d042d1d',
  created_via: 'rest-api',
  version: '3.0.0',
  status: 'processing',
  currency: 'USD',
  ...dates('2017-03-22T16:28:02', '2017-03-22T19:28:02', '2017-03-22T16:28:08', '2017-03-22T19:28:08'),
  discount_total: '0.00',
  shipping_total: '10.00',
  total: '29.35',
  total_tax: '1.35',
  prices_include_tax: false,
  customer_id: 0,
  customer_note: '',
  billing,
  payment_method: 'bacs',
  payment_method_title: 'Direct Bank Transfer',
  transaction_id: '',
  date_paid: '2017-03-22T16:28:08',
  line_items: [{ id: 315, name: 'Woo Single #1', product_id: 93, variation_id: 0, quantity: 2, tax_class: '' }],
};
const product = {
  id: 794,
  name: 'Premium Quality',
  slug: 'premium-quality-19',
  permalink: 'https://example.com/product/premium-quality-19/',
  ...dates('2017-03-23T17:01:14', '2017-03-23T20:01:14', '2017-03-23T17:01:14', '2017-03-23T20:01:14'),
  type: 'simple',
  status: 'publish',
  sku: '',
  price: '21.99',
  regular_price: '21.99',
  sale_price: '',
  on_sale: false,
  manage_stock: false,
  stock_quantity: null,
  stock_status: 'instock',
  categories: [{ id: 9, name: 'Clothing', slug: 'clothing' }],
};
const customer = {
  id: 25,
  ...dates('2017-03-21T16:09:28', '2017-03-21T19:09:28', '2017-03-21T16:09:30', '2017-03-21T19:09:30'),
  email: 'john.doe@example.com',
  first_name: 'John',
  last_name: 'Doe',
  role: 'customer',
  username: 'john.doe',
  billing,
  is_paying_customer: false,
};
const coupon = {
  id: 719,
  code: '10off',
  amount: '10.00',
  ...dates('2017-03-21T15:23:00', '2017-03-21T18:23:00', '2017-03-21T15:23:00', '2017-03-21T18:23:00'),
  discount_type: 'percent',
  date_expires: null,
  usage_count: 0,
  individual_use: true,
  minimum_amount: '100.00',
};

export const woocommerceEvents = eventTypes(parameters({}), {
  'order.created': ['An order was placed.', order],
  'order.updated': ['An order changed.', order],
  'order.deleted': ['An order was deleted.', { id: order.id }],
  'product.created': ['A product was created.', product],
  'product.updated': ['A product or its stock changed.', product],
  'product.deleted': ['A product was deleted.', { id: product.id }],
  'customer.created': ['A customer was created.', customer],
  'customer.updated': ['A customer changed.', customer],
  'customer.deleted': ['A customer was deleted.', { id: customer.id }],
  'coupon.created': ['A coupon was created.', coupon],
  'coupon.updated': ['A coupon changed.', coupon],
  'coupon.deleted': ['A coupon was deleted.', { id: coupon.id }],
  '*': ['Every topic that is sent to the URL.', order],
});
