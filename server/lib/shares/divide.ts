import type { Shares } from './shares.ts';

/** The part of one of several service processes: what is of the whole machine is divided. */
export function dividedShares(shares: Shares, processes: number): Shares {
  const part = (whole: number) => Math.max(1, Math.ceil(whole / processes));
  return {
    ...shares,
    processes: part(shares.processes),
    accountProcesses: part(shares.accountProcesses),
    accountRuns: part(shares.accountRuns),
    accountBytes: Math.max(shares.processBytes, part(shares.accountBytes)),
    accountCpu: shares.accountCpu / processes,
    accountOutput: part(shares.accountOutput),
    accountDeploys: part(shares.accountDeploys),
    accountSearches: part(shares.accountSearches),
    accountStreams: part(shares.accountStreams),
  };
}
