type Order = { name: string; currency: string; total_price: string; shipping_address: { country_code: string } };

const EXPORT_COUNTRIES = new Set(['CH', 'GB', 'NO', 'US']);

/** The entry of an order, in cents, with its account: exports are booked apart. */
export function entryOf({ name, currency, total_price, shipping_address }: Order) {
  const country = shipping_address.country_code;
  return {
    reference: name,
    cents: Math.round(Number(total_price) * 100),
    currency,
    country,
    account: EXPORT_COUNTRIES.has(country) ? 'exports' : 'domestic',
  };
}
