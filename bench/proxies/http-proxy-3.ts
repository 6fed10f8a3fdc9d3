/** http-proxy-3 with the best settings for this comparison: `node bench/proxies/http-proxy-3.ts <port> <upstream>`. */
import { Agent, createServer, type IncomingMessage, ServerResponse } from 'node:http';
import { createProxyServer } from 'http-proxy-3';
import { CREDENTIAL, isAllowed, KEY, PORT, UPSTREAM } from './proxy.ts';

const proxy = createProxyServer({
  target: UPSTREAM,
  agent: new Agent({ keepAlive: true, maxSockets: 256 }),
  changeOrigin: true,
  preserveHeaderKeyCase: true,
  proxyTimeout: 1000,
  headers: { Authorization: CREDENTIAL },
});
/** Abandoned requests: their errors are ignored. */
const late = new WeakSet<IncomingMessage>();
proxy.on('proxyReq', (out, req) => {
  out.removeHeader('cookie');
  out.once('timeout', () => late.add(req));
});
proxy.on('error', (_error, req, res) => {
  if (!(res instanceof ServerResponse)) return void res?.destroy();
  if (res.headersSent) return void res.destroy();
  res.writeHead(late.has(req) ? 504 : 502).end();
});
createServer({ maxHeaderSize: 65_536 }, (req, res) => {
  // Node would add a Date header that the app did not send.
  res.sendDate = false;
  if (isAllowed(req, res)) proxy.web(req, res);
})
  .on('upgrade', (req, socket, head) => {
    if (req.headers.authorization === KEY) proxy.ws(req, socket, head);
    else socket.destroy();
  })
  .listen(PORT, '127.0.0.1');
