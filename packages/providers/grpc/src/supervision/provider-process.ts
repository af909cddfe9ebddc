import { basename } from "node:path";
import type { Connection } from "../connection.ts";
import { Provider } from "../generated/cloudwright/provider/v1/provider_pb.js";
import { type Child, startChild } from "./child.ts";
import { type Clock, pause } from "./clock.ts";
import { type Connect, connectWithin } from "./connect-within.ts";
import { childEnvironment } from "./environment.ts";
import { holdConnection } from "./hold-connection.ts";
import type { LogLine } from "./log-line.ts";
import { type ProviderSource, type SourceReporter, SourceState } from "./provider-source.ts";
import { RestartPace } from "./restart-pace.ts";
import { makeSocketFolder, type SocketFolder } from "./socket-folder.ts";

export interface ProviderProcessOptions extends SourceReporter {
  /** Its path. */
  readonly executable: string;
  readonly connect: Connect;
  readonly userAgent: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Our log's verbosity, on klog's scale. */
  readonly verbosity: number;
  readonly clock: Clock;
  random(): number;
  /** Called with each line that the process writes. */
  onLine(line: LogLine): void;
}

/** The time limit from a process's start to its handshake. */
const START_MS = 30_000;
/** How long a process may take to exit after a shutdown request. */
const SHUTDOWN_MS = 2_000;
/** A closed connection is noticed before the end of the process that closed it. */
const END_MS = 1_000;
const PACE = { firstMs: 1_000, longestMs: 60_000 };

/**
 * Starts the executable and keeps it running until `close`. It is health-checked and restarted when it exits, hangs or speaks
 * another version, with growing pauses, and never runs twice at once.
 */
export function startProviderProcess(options: ProviderProcessOptions): ProviderSource {
  const supervisor = new Supervisor(options);
  const finished = supervisor.run();
  return {
    current: () => supervisor.state.current(),
    onConnected: (listener) => supervisor.state.onConnected(listener),
    status: () => supervisor.state.status,
    close: () => {
      supervisor.end();
      return finished;
    },
  };
}

class Supervisor {
  readonly state: SourceState;
  readonly #options: ProviderProcessOptions;
  readonly #name: string;
  readonly #pace: RestartPace;
  readonly #stopping = new AbortController();

  constructor(options: ProviderProcessOptions) {
    const { executable, clock, random } = options;
    this.#options = options;
    this.#name = basename(executable);
    this.#pace = new RestartPace({ clock, random, ...PACE });
    const sentence = `${this.#name} is being started.`;
    this.state = new SourceState(this.#name, clock, { reporter: options, sentence });
  }

  end(): void {
    this.#stopping.abort();
  }

  async run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const why = await this.#start();
      if (signal.aborted) break;
      const waitMs = this.#pace.ended();
      this.#down(`${why}; it will be restarted in ${Math.ceil(waitMs / 1_000)} s`);
      await pause(this.#options.clock, waitMs, signal);
      this.state.restarted();
    }
    this.#down("was stopped, because the controller is shutting down");
  }

  #down(why: string): void {
    this.state.down(`${this.#name} ${why}.`);
  }

  /** Runs the process once, until it is known to be gone; returns why it ended. */
  async #start(): Promise<string> {
    const { executable, environment, verbosity } = this.#options;
    let folder: SocketFolder | undefined;
    try {
      folder = await makeSocketFolder();
      const { socket } = folder;
      const child = startChild({
        ...this.#options,
        executable,
        environment: childEnvironment({ environment, socket, verbosity }),
      });
      return await this.#serve(child, socket);
    } catch (error) {
      return `could not be started: ${messageOf(error)}`;
    } finally {
      await folder?.remove();
    }
  }

  async #serve(child: Child, socket: string): Promise<string> {
    const ended = new AbortController();
    void child.ended.then(() => ended.abort());
    const signal = AbortSignal.any([this.#stopping.signal, ended.signal]);
    try {
      const why = await this.#keepConnected(child, { socket, signal });
      this.#down(why);
      return child.hasEnded ? await child.ended : why;
    } finally {
      await child.stop();
    }
  }

  /** Connects, and reconnects as long as the process lives; returns why it has to be ended, if it has not ended already. */
  async #keepConnected(child: Child, { socket, signal }: ConnectionPlace): Promise<string> {
    const { connect, clock, userAgent } = this.#options;
    for (;;) {
      const connection = await connectWithin({
        connect,
        socket,
        clock,
        userAgent,
        signal,
        limitMs: START_MS,
      });
      if (typeof connection === "string") return connection;
      const why = await this.#hold(connection, { child, signal });
      if (why !== undefined) return why;
    }
  }

  /** Returns undefined if only the connection was lost. */
  async #hold(
    connection: Connection,
    { child, signal }: { readonly child: Child; readonly signal: AbortSignal },
  ): Promise<string | undefined> {
    const { clock } = this.#options;
    const { version } = connection.info;
    this.#pace.up();
    const name = `${this.#name}${version === "" ? "" : ` ${version}`}`;
    const end = await holdConnection({
      connection,
      ...{ name, clock, signal, state: this.state },
      sentence: `${name} runs as process ${child.pid}.`,
    });
    this.#down(end.why);
    if (this.#stopping.signal.aborted) await this.#shutDown(connection, child);
    connection.close();
    if (end.kind === "closed") await Promise.race([child.ended, pause(clock, END_MS)]);
    return end.kind === "closed" && !child.hasEnded ? undefined : end.why;
  }

  /** Lets it finish its work. Whether it answers does not matter: it is ended in any case. */
  async #shutDown(connection: Connection, child: Child): Promise<void> {
    const limit = { signal: new AbortController().signal, timeoutMs: SHUTDOWN_MS };
    await connection.call(Provider.method.shutdown, {}, limit).catch(() => undefined);
    await Promise.race([child.ended, pause(this.#options.clock, SHUTDOWN_MS)]);
  }
}

interface ConnectionPlace {
  readonly socket: string;
  readonly signal: AbortSignal;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
