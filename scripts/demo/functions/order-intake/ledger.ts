type Order = { name: string; currency: string; total_price: string; shipping_address: { country_code: string } | null };

/** The entry of an order, in cents. Orders without shipping address, such as vouchers, are booked at home. */
export function entryOf({ name, currency, total_price, shipping_address }: Order) {
  return {
    reference: name,
    cents: Math.round(Number(total_price) * 100),
    currency,
    country: shipping_address?.country_code ?? 'DE',
  };
}
