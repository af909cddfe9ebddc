import { PROTOCOL } from "../connection/connect.ts";

/**
 * Our own variables, which do not concern a provider: settings, the database's address and password, headers for sending traces,
 * and memory settings of our runtime. Variables named CLOUDWRIGHT_PROVIDER_ are meant for the provider.
 */
const OURS =
  /^(CLOUDWRIGHT_(?!PROVIDER_)|PG[A-Z]|OTEL_|NODE_CHANNEL_|MALLOC_)|^(DATABASE_URL|NODE_OPTIONS)$/;

export interface ChildEnvironmentOptions {
  readonly environment: NodeJS.ProcessEnv;
  /** The path of the socket on which the process has to listen. */
  readonly socket: string;
  /** Our log's verbosity, on klog's scale: `-v`. */
  readonly verbosity: number;
}

/** Returns the environment of a provider process: ours without our own variables, plus those of the contract. */
export function childEnvironment({
  environment,
  socket,
  verbosity,
}: ChildEnvironmentOptions): NodeJS.ProcessEnv {
  const passedOn = Object.entries(environment).filter(([name]) => !OURS.test(name));
  return {
    ...Object.fromEntries(passedOn),
    CLOUDWRIGHT_PROVIDER_PROTOCOL: String(PROTOCOL),
    CLOUDWRIGHT_PROVIDER_SOCKET: socket,
    CLOUDWRIGHT_PROVIDER_VERBOSITY: String(verbosity),
  };
}
