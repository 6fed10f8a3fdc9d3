// Explains a cron expression in a sentence.
const PARTS = ['minute', 'hour', 'day of the month', 'month', 'day of the week'];

function explain(field: string, name: string): string | null {
  if (field === '*') return null;
  const [, step] = /^\*\/(\d+)$/.exec(field) ?? [];
  return step ? `every ${step} ${name}s` : `${name} ${field}`;
}

export default {
  fetch(request: Request): Response {
    const fields = (new URL(request.url).searchParams.get('expression') ?? '').trim().split(/\s+/);
    if (fields.length !== 5) return new Response('expression: expected five fields', { status: 400 });
    const words = fields.map((field, at) => explain(field, PARTS[at] ?? '')).filter((part) => part !== null);
    return new Response(words.length === 0 ? 'every minute' : words.join(', '));
  },
};
