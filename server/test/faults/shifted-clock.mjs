// Loaded into a service before anything else: its clock goes wrong by as many milliseconds as a file says, when
// triggered by a signal, and the file is gone once it does. What lets time pass (timers, performance.now) is not affected, as when a machine's clock is set.
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
