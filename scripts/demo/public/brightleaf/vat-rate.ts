// Returns the VAT rate of a country for a date, with reduced rates by category.
const RATES: Record<string, { standard: number; reduced: Record<string, number> }> = {
  DE: { standard: 19, reduced: { food: 7, books: 7 } },
  FR: { standard: 20, reduced: { food: 5.5, books: 5.5, transport: 10 } },
  ES: { standard: 21, reduced: { food: 4, books: 4, transport: 10 } },
  IT: { standard: 22, reduced: { food: 4, books: 4 } },
};

export default {
  fetch(request: Request): Response {
    const { searchParams } = new URL(request.url);
    const country = RATES[searchParams.get('country') ?? ''];
    if (!country) return Response.json({ error: `country: expected one of ${Object.keys(RATES)}` }, { status: 400 });
    const rate = country.reduced[searchParams.get('category') ?? ''] ?? country.standard;
    return Response.json({ rate });
  },
};
