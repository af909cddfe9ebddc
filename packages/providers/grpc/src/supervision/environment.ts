import { PROTOCOL } from "../connection/connect.ts";

/**
 * What is ours and nothing to a provider: settings, the database's address and password, the headers by which traces are sent, and
 * how our own runtime uses its memory. What is named CLOUDWRIGHT_PROVIDER_ is meant for it.
 */
const OURS =
  /^(CLOUDWRIGHT_(?!PROVIDER_)|PG[A-Z]|OTEL_|NODE_CHANNEL_|MALLOC_)|^(DATABASE_URL|NODE_OPTIONS)$/;

export interface ChildEnvironmentOptions {
  readonly environment: NodeJS.ProcessEnv;
  /** The path of the socket that the process is to listen on. */
  readonly socket: string;
  /** Of our log, as klog counts: `-v`. */
  readonly verbosity: number;
}

/** The environment of a provider process: our own without what is ours, and the contract's variables. */
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
