import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * Returns a free port below the range that systems assign to outgoing connections, since such a connection could take the port
 * before the program has started.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST_PORT, FIRST_OF_CONNECTIONS);
    if (await isFree(port)) return port;
  }
}

const LOWEST_PORT = 16_384;
/** Linux's default; other systems begin higher. */
const FIRST_OF_CONNECTIONS = 32_768;

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
