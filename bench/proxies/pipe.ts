/** A minimal Node proxy, `http.request` and two pipes: `node bench/proxies/pipe.ts <port> <upstream>`. */
import { Agent, createServer, request } from 'node:http';
import { CREDENTIAL, isAllowed, PORT, UPSTREAM } from './proxy.ts';

const { hostname, port, host } = new URL(UPSTREAM);
const agent = new Agent({ keepAlive: true, maxSockets: 256 });
createServer({ maxHeaderSize: 65_536 }, (req, res) => {
  res.sendDate = false;
  if (!isAllowed(req, res)) return;
  const headers = { ...req.headers, host, authorization: CREDENTIAL };
  const out = request({ agent, hostname, port, method: req.method, path: req.url, headers }, (response) => {
    res.writeHead(response.statusCode ?? 502, response.rawHeaders);
    response.pipe(res);
  });
  out.on('error', () => (res.headersSent ? res.destroy() : res.writeHead(502).end()));
  res.on('close', () => out.destroy());
  req.pipe(out);
}).listen(PORT, '127.0.0.1');
