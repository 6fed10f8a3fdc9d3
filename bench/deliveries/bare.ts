/** Receive, sign, send: nothing is kept, and what is acknowledged is lost when the process is. */
import { createLine, listen, sendSigned } from './rival.ts';

let sent = 0;
const push = createLine(128, async (item) => {
  const { response } = await sendSigned(item);
  if (response.status === 200) sent++;
});

listen(
  async (item) => push(item),
  () => sent,
);
