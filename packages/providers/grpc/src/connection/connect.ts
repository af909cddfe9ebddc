import { randomUUID } from "node:crypto";
import { ProviderError } from "@cloudwright/provider-api";
import { Client, connectivityState, credentials } from "@grpc/grpc-js";
import type { CallOptions, Connection } from "../connection.ts";
import { Provider } from "../generated/cloudwright/provider/v1/provider_pb.js";
import {
  Health,
  HealthCheckResponse_ServingStatus,
} from "../generated/grpc/health/v1/health_pb.js";
import { notConnected } from "./failures.ts";
import { unaryCall } from "./unary-call.ts";

/** The version of the contract that we speak. */
export const PROTOCOL = 1;

export interface ConnectOptions {
  /** Product and version, for the User-Agent of the provider's own calls. */
  readonly userAgent: string;
  readonly signal: AbortSignal;
  /** The time limit of the handshake in milliseconds; 5,000 by default. */
  readonly timeoutMs?: number;
}

/**
 * Connects to the process that listens at the socket, and performs the handshake. Throws ProviderError: `Unavailable` while
 * nothing listens there, `Unsupported` for another contract version, `TimedOut` if there is no answer; the signal's reason if
 * that aborts.
 */
export async function connectTo(
  socketPath: string,
  { userAgent, signal, timeoutMs = DEFAULT_TIMEOUT_MS }: ConnectOptions,
): Promise<Connection> {
  signal.throwIfAborted();
  const client = new Client(`unix:${socketPath}`, credentials.createInsecure(), {
    ...CHANNEL,
    "grpc.primary_user_agent": userAgent,
  });
  try {
    await becomeReady(client, { socketPath, timeoutMs, signal });
    return await shakeHands(client, { socketPath, userAgent, signal, timeoutMs });
  } catch (error) {
    client.close();
    throw error;
  }
}

const DEFAULT_TIMEOUT_MS = 5_000;
const UNNAMED = "provider process";
const LARGEST_ANSWER = 64 * 1_048_576;
const LONGEST_DELAY_MS = 2_147_483_647;

const CHANNEL = {
  "grpc.max_receive_message_length": LARGEST_ANSWER,
  "grpc.max_send_message_length": -1,
  // A connection belongs to one start of the process: it is neither shared, nor dropped and reconnected silently.
  "grpc.use_local_subchannel_pool": 1,
  "grpc.client_idle_timeout_ms": LONGEST_DELAY_MS,
  // A call that may have taken effect must not be repeated by the channel, only by a caller that knows how.
  "grpc.enable_retries": 0,
} as const;

interface Becoming {
  readonly socketPath: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Fails with the first attempt: callers that wait for a process try again. */
function becomeReady(client: Client, becoming: Becoming): Promise<void> {
  const { socketPath, timeoutMs, signal } = becoming;
  const channel = client.getChannel();
  const deadline = Date.now() + timeoutMs;
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason);
    signal.addEventListener("abort", giveUp, { once: true });
    const settle = (end: () => void) => {
      signal.removeEventListener("abort", giveUp);
      end();
    };
    const look = () => {
      const state = channel.getConnectivityState(true);
      if (state === connectivityState.READY) return settle(resolve);
      if (ENDED.has(state)) return settle(() => reject(nobodyAt(socketPath)));
      channel.watchConnectivityState(state, deadline, (error) =>
        error === undefined ? look() : settle(() => reject(nobodyAt(socketPath))),
      );
    };
    look();
  });
}

const ENDED: ReadonlySet<connectivityState> = new Set([
  connectivityState.TRANSIENT_FAILURE,
  connectivityState.SHUTDOWN,
]);

function nobodyAt(socketPath: string): ProviderError {
  return notConnected(
    UNNAMED,
    "connect",
    `No provider process answers at the socket ${socketPath}.`,
  );
}

async function shakeHands(
  client: Client,
  { socketPath, userAgent, signal, timeoutMs }: Becoming & Pick<ConnectOptions, "userAgent">,
): Promise<Connection> {
  const request = { protocol: PROTOCOL, userAgent, connectionId: randomUUID() };
  const options = { signal, timeoutMs, provider: UNNAMED };
  const answer = await unaryCall(client, Provider.method.handshake, { request, ...options });
  const { protocol, providerName, version, instance } = answer;
  if (protocol !== PROTOCOL) {
    throw refused(
      `The provider process at ${socketPath} speaks contract ${protocol}, but this release speaks ${PROTOCOL}: install a version of it that supports this release.`,
    );
  }
  if (providerName === "" || instance === "") {
    throw refused(
      `The provider process at ${socketPath} named ${providerName === "" ? "no provider" : "no start of its own"} in the handshake: report this to its author.`,
    );
  }
  return new UnixConnection(client, { providerName, version, instance });
}

function refused(message: string): ProviderError {
  return new ProviderError("Unsupported", message, { provider: UNNAMED, operation: "Handshake" });
}

/** A class, since each start of a process has one, with a state. */
class UnixConnection implements Connection {
  readonly info: Connection["info"];
  readonly #client: Client;
  readonly #listeners: ((why: string) => void)[] = [];
  #closedBecause: string | undefined;

  constructor(client: Client, info: Connection["info"]) {
    this.#client = client;
    this.info = info;
    // The channel would reconnect to any process that listens there then, even one that has received nothing.
    client
      .getChannel()
      .watchConnectivityState(connectivityState.READY, Number.POSITIVE_INFINITY, () =>
        this.#end(`The connection with the provider process ${info.providerName} was lost.`),
      );
  }

  call: Connection["call"] = async (method, request, options) => {
    const provider = this.info.providerName;
    if (this.#closedBecause !== undefined) {
      throw notConnected(provider, method.name, this.#closedBecause);
    }
    return await unaryCall(this.#client, method, { request, provider, ...options });
  };

  async health(options: CallOptions): Promise<"serving" | "notServing"> {
    const request = { service: Provider.typeName };
    const { status } = await this.call(Health.method.check, request, options);
    return status === HealthCheckResponse_ServingStatus.SERVING ? "serving" : "notServing";
  }

  onClosed(listener: (why: string) => void): void {
    if (this.#closedBecause === undefined) this.#listeners.push(listener);
    else listener(this.#closedBecause);
  }

  close(): void {
    this.#end(`The connection with the provider process ${this.info.providerName} was closed.`);
  }

  #end(why: string): void {
    if (this.#closedBecause !== undefined) return;
    this.#closedBecause = why;
    this.#client.close();
    for (const listener of this.#listeners.splice(0)) listener(why);
  }
}
