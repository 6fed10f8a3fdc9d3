// Reads the entries of the ledger and writes their sum by currency.
export default {
  async fetch(): Promise<Response> {
    const answer = await fetch(`${process.env.GATEWAY_URL}/ledger/entries`, {
      headers: { authorization: `Bearer ${process.env.GATEWAY_TOKEN}` },
    });
    const { entries }: { entries: { currency: string; cents: number }[] } = await answer.json();
    const sums: Record<string, number> = {};
    for (const { currency, cents } of entries) sums[currency] = (sums[currency] ?? 0) + cents;
    console.info(JSON.stringify({ level: 'info', msg: 'entries', count: entries.length, sums }));
    return Response.json({ sums });
  },
};
