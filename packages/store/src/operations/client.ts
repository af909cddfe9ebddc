/** From where a user's request came, as the audit entries keep it. */
export interface Client {
  /** The address that the server saw, or that its own proxy passed on. */
  readonly address: string;
  /** What the program called itself, at most `AGENT_MOST` characters. */
  readonly agent: string;
}

export const AGENT_MOST = 300;
