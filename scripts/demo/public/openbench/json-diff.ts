// Lists the paths at which two JSON documents differ.
function* differences(a: unknown, b: unknown, path = '$'): Generator<{ path: string; a: unknown; b: unknown }> {
  if (Object.is(a, b)) return;
  const both = typeof a === 'object' && typeof b === 'object' && a && b && Array.isArray(a) === Array.isArray(b);
  if (!both) return yield { path, a, b };
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)]))
    yield* differences(
      (a as Record<string, unknown>)[key],
      (b as Record<string, unknown>)[key],
      Array.isArray(a) ? `${path}[${key}]` : `${path}.${key}`,
    );
}

export default {
  async fetch(request: Request): Promise<Response> {
    const { a, b } = await request.json();
    return Response.json({ differences: [...differences(a, b)].slice(0, 500) });
  },
};
