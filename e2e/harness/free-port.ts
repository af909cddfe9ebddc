import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * One that nobody listens on, from below those that systems give to connections: one of these would be taken again by
 * any connection before its program has started.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST_PORT, FIRST_OF_CONNECTIONS);
    if (await isFree(port)) return port;
  }
}

const LOWEST_PORT = 16_384;
/** Of Linux; other systems begin higher. */
const FIRST_OF_CONNECTIONS = 32_768;

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
