/** The two globals that the contract uses. Node and browsers both have them. */
declare global {
  const URL: {
    new (
      text: string,
    ): {
      protocol: string;
      hostname: string;
      pathname: string;
      username: string;
      password: string;
      hash: string;
    };
    canParse(text: string): boolean;
  };
  const TextEncoder: { new (): { encode(text: string): { byteLength: number } } };
}

export {};
