import type { Server } from "node:http";

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

const PATTERN = /^(?:\[(?<six>[0-9a-fA-F:.]+)\]|(?<host>[^:[\]]+)):(?<port>\d{1,5})$/;
const HIGHEST_PORT = 65_535;

/** Parses `127.0.0.1:8080`, `localhost:0` or `[::1]:0`; port 0 picks a free one. Throws an Error for anything else. */
export function parseListenAddress(text: string): ListenAddress {
  const groups = PATTERN.exec(text)?.groups;
  const host = groups?.six ?? groups?.host;
  const port = Number(groups?.port);
  if (host === undefined || port > HIGHEST_PORT) {
    throw new Error(
      `The listen address ${text} is not valid: give HOST:PORT, such as 127.0.0.1:0.`,
    );
  }
  return { host, port };
}

/** Starts to listen; resolves with the base URL, without a slash at the end. A port in use is reported in one sentence. */
export async function listenOn(server: Server, { host, port }: ListenAddress): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(listenError(error, `${host}:${port}`)));
    server.listen({ host, port }, resolve);
  });
  const bound = server.address();
  const actual = typeof bound === "object" && bound !== null ? bound.port : port;
  return `http://${host.includes(":") ? `[${host}]` : host}:${actual}`;
}

function listenError(error: Error, place: string): Error {
  const inUse = "code" in error && error.code === "EADDRINUSE";
  return inUse
    ? new Error(`The address ${place} is in use: stop what listens there or choose another port.`)
    : new Error(`Could not listen on ${place} (${error.message}): choose another address.`, {
        cause: error,
      });
}
