/** What time it is by the clock of the machine, to less than a millisecond: threads have no other one in common. */
export const sharedClockMs = (): number => performance.timeOrigin + performance.now();
