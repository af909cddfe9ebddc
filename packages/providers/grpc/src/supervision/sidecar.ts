import { lstatSync } from "node:fs";
import type { Connection } from "../connection.ts";
import { type SocketOwner, socketProblem } from "./check-socket.ts";
import { type Clock, pause } from "./clock.ts";
import { type Connect, connectWithin } from "./connect-within.ts";
import { holdConnection } from "./hold-connection.ts";
import { type ProviderSource, type SourceReporter, SourceState } from "./provider-source.ts";
import { RestartPace } from "./restart-pace.ts";

export interface SidecarOptions extends SourceReporter {
  /** Path of the sidecar's socket. */
  readonly socket: string;
  readonly owner: SocketOwner;
  readonly connect: Connect;
  readonly userAgent: string;
  readonly clock: Clock;
  random(): number;
}

/** How long a listening sidecar may take for its handshake. */
const HANDSHAKE_MS = 10_000;
/** A sidecar is not started by us, so frequent attempts cost little. */
const PACE = { firstMs: 250, longestMs: 5_000 };

/** Keeps a connection to a sidecar until `close`, waiting for one that is not there yet or is being restarted. */
export function followSidecar(options: SidecarOptions): ProviderSource {
  const follower = new Follower(options);
  const finished = follower.run();
  return {
    current: () => follower.state.current(),
    onConnected: (listener) => follower.state.onConnected(listener),
    status: () => follower.state.status,
    close: () => {
      follower.end();
      return finished;
    },
  };
}

class Follower {
  readonly state: SourceState;
  readonly #options: SidecarOptions;
  readonly #name: string;
  readonly #pace: RestartPace;
  readonly #stopping = new AbortController();
  #instance: string | undefined;

  constructor(options: SidecarOptions) {
    const { socket, clock, random } = options;
    this.#options = options;
    this.#name = `The provider at ${socket}`;
    this.#pace = new RestartPace({ clock, random, ...PACE });
    const sentence = `${this.#name} is being connected to.`;
    this.state = new SourceState("sidecar", clock, { reporter: options, sentence });
  }

  end(): void {
    this.#stopping.abort();
  }

  async run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const why = await this.#connectOnce(signal);
      if (signal.aborted) break;
      this.state.down(`${this.#name} ${why}; it is tried again every few seconds.`);
      await pause(this.#options.clock, this.#pace.ended(), signal);
    }
    this.state.down(`${this.#name} is no longer used, because the controller is shutting down.`);
  }

  /** Returns why there is no connection any more. */
  async #connectOnce(signal: AbortSignal): Promise<string> {
    const { socket, owner } = this.#options;
    const problem = socketProblem({ socket, ...owner });
    if (problem !== undefined) return problem;
    const before = identityOf(socket);
    const connection = await connectWithin({ ...this.#options, signal, limitMs: HANDSHAKE_MS });
    if (typeof connection === "string") return connection;
    try {
      // The socket may have been replaced between the check and the connection.
      if (identityOf(socket) !== before) return "was replaced while it was being connected to";
      return await this.#hold(connection, signal);
    } finally {
      connection.close();
    }
  }

  async #hold(connection: Connection, signal: AbortSignal): Promise<string> {
    const { clock } = this.#options;
    const { version, providerName, instance } = connection.info;
    if (this.#instance !== undefined && this.#instance !== instance) this.state.restarted();
    this.#instance = instance;
    this.#pace.up();
    const sentence = `${this.#name} serves ${[providerName, version].join(" ").trim()}.`;
    const held = { connection, clock, signal, state: this.state, name: this.#name, sentence };
    const { why } = await holdConnection(held);
    return why;
  }
}

function identityOf(socket: string): string {
  const stats = lstatSync(socket, { throwIfNoEntry: false });
  return stats === undefined ? "" : `${stats.dev}/${stats.ino}`;
}
