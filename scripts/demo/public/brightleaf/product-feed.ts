// Writes the products of the shop as an XML feed for price comparison sites.
const escaped = (text: string) => text.replace(/[<>&"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

export default {
  async fetch(): Promise<Response> {
    const answer = await fetch(`${process.env.GATEWAY_URL}/shop/admin/products.json?limit=250`, {
      headers: { authorization: `Bearer ${process.env.GATEWAY_TOKEN}` },
    });
    const { products } = await answer.json();
    const items = products.map(
      ({ id, title, variants }: { id: number; title: string; variants: { price: string }[] }) =>
        `<item><id>${id}</id><title>${escaped(title)}</title><price>${variants[0].price} EUR</price></item>`,
    );
    return new Response(`<?xml version="1.0"?><rss><channel>${items.join('')}</channel></rss>`, {
      headers: { 'content-type': 'application/xml' },
    });
  },
};
