import type { Connection } from "../connection.ts";
import type { Clock } from "./clock.ts";
import type { SourceState } from "./provider-source.ts";
import { type HealthEnd, watchHealth } from "./watch-health.ts";

export interface HeldConnection {
  readonly connection: Connection;
  readonly state: SourceState;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** The provider's name, for sentences. */
  readonly name: string;
  /** The status sentence while it serves. */
  readonly sentence: string;
}

/** Uses the connection for calls while the provider reports that it serves; resolves when that ends. */
export function holdConnection(held: HeldConnection): Promise<HealthEnd> {
  const { connection, state, clock, signal, name, sentence } = held;
  // Before the first health check: it has just answered the handshake.
  state.up(connection, sentence);
  return watchHealth({
    connection,
    clock,
    signal,
    onServing: () => state.up(connection, sentence),
    onNotServing: () => state.down(`${name} is running but reports that it is not serving.`),
  });
}
