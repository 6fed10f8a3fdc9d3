/** The reference MCP server, in a separate process on a free loopback port. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export type McpServer = { url: string; close(): Promise<void> };

export async function startMcpServer(): Promise<McpServer> {
  const main = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'));
  const preload = fileURLToPath(new URL('./only-loopback.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', preload, main, 'streamableHttp'], {
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const lines = createInterface(child.stdout);
  const port = await new Promise<string>((ok, refuse) => {
    lines.on('line', (line) => line.startsWith('PORT ') && ok(line.slice(5)));
    child.once('exit', () => refuse(new Error('the MCP server did not start')));
  });
  const gone = new Promise<void>((ok) => child.once('exit', () => ok()));
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async close() {
      child.kill('SIGKILL');
      await gone;
    },
  };
}
