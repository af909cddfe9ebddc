import type { Connection } from "../connection.ts";
import type { Clock } from "./clock.ts";
import type { SourceState } from "./provider-source.ts";
import { type HealthEnd, watchHealth } from "./watch-health.ts";

export interface HeldConnection {
  readonly connection: Connection;
  readonly state: SourceState;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** The provider's, for sentences. */
  readonly name: string;
  /** What to say while it serves. */
  readonly sentence: string;
}

/** Lets calls go by the connection while the provider says that it serves; resolves when that is over. */
export function holdConnection(held: HeldConnection): Promise<HealthEnd> {
  const { connection, state, clock, signal, name, sentence } = held;
  // Before the first check: it has just answered the handshake.
  state.up(connection, sentence);
  return watchHealth({
    connection,
    clock,
    signal,
    onServing: () => state.up(connection, sentence),
    onNotServing: () => state.down(`${name} runs, and reports that it is not serving.`),
  });
}
