/** The globals that the contract uses. Node and browsers have them. */
declare global {
  const URL: {
    new (
      text: string,
    ): {
      origin: string;
      protocol: string;
      hostname: string;
      pathname: string;
      username: string;
      password: string;
      hash: string;
    };
    canParse(text: string): boolean;
  };
  const URLSearchParams: {
    new (
      given: string | [name: string, value: string][],
    ): Iterable<[name: string, value: string]> & { toString(): string };
  };
  const TextEncoder: { new (): { encode(text: string): Uint8Array } };
  const btoa: (binary: string) => string;
}

export {};
