/** What a new function begins with: small, whole, and worth a run. */
export const STARTER_HANDLER = 'src/index.default';

export const STARTER: Readonly<Record<string, string>> = {
  'src/index.ts': `import { greeting } from './greeting.ts';

export default {
  /** Answers every request to this function's address. */
  async fetch(request: Request, env: Record<string, string>): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const name = searchParams.get('name') ?? env.DEFAULT_NAME ?? 'world';

    // lines of JSON can be opened and filtered by field in the logs
    console.log(JSON.stringify({ level: 'info', msg: 'called', method: request.method, pathname, name }));

    return Response.json({ message: greeting(name), received: await request.text() });
  },
};
`,
  'src/greeting.ts': `export function greeting(name: string): string {
  return \`Hello, \${name}!\`;
}
`,
};
