/** Where a user's request came from, as audit entries store it. */
export interface Client {
  /** The address that the server saw, or that its own proxy passed on. */
  readonly address: string;
  /** The program's user agent, at most `AGENT_MOST` characters. */
  readonly agent: string;
}

export const AGENT_MOST = 300;
