// Reads an access log and returns the share of errors by path.
const LINE = /"(?:GET|POST|PUT|PATCH|DELETE) ([^ "?]+)[^"]*" (\d{3}) /;

export default {
  async fetch(request: Request): Promise<Response> {
    const totals = new Map<string, { all: number; errors: number }>();
    for (const line of (await request.text()).split('\n')) {
      const [, path, status] = LINE.exec(line) ?? [];
      if (!path) continue;
      const total = totals.get(path) ?? { all: 0, errors: 0 };
      total.all++;
      if (status.startsWith('5')) total.errors++;
      totals.set(path, total);
    }
    const rows = [...totals].map(([path, { all, errors }]) => ({ path, all, share: errors / all }));
    return Response.json({ rows: rows.sort((a, b) => b.share - a.share).slice(0, 20) });
  },
};
