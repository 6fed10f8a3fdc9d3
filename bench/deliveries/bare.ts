/** Receives, signs and sends events without storage: acknowledged events are lost when the process ends. */
import { createWorkQueue, listen, sendSigned } from './rival.ts';

let sent = 0;
const push = createWorkQueue(128, async (item) => {
  const { response } = await sendSigned(item);
  if (response.status === 200) sent++;
});

listen(
  async (item) => push(item),
  () => sent,
);
