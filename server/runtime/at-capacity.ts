/** The run cannot start now: every process is busy with runs of other accounts. */
export class AtCapacity extends Error {
  override name = 'AtCapacity';
}

/** The run cannot start now: its account has used a share. */
export class ShareUsed extends AtCapacity {
  override name = 'ShareUsed';
}
