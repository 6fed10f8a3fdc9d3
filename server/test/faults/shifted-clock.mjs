// Preloaded into a service: shifts its clock by the milliseconds in a file when triggered by a signal, then deletes the
// file. Timers and performance.now are not affected, as when a machine's clock is set.
import { readFileSync, rmSync } from 'node:fs';

const RealDate = Date;
let offMs = 0;

globalThis.Date = class extends RealDate {
  constructor(...given) {
    super(...(given.length > 0 ? given : [RealDate.now() + offMs]));
  }
  static now() {
    return RealDate.now() + offMs;
  }
};

process.on('SIGUSR2', () => {
  offMs = Number(readFileSync(process.env.SHIFTED_CLOCK, 'utf8'));
  rmSync(process.env.SHIFTED_CLOCK);
});
