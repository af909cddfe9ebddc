import { connect, createServer, type Server, type Socket } from "node:net";

/**
 * A TCP relay in front of a server on this machine, which counts what clients send. It can be cut, as if the server had died, or
 * hushed, as if the network dropped everything.
 */
export class Relay {
  readonly port: number;
  readonly #target: number;
  readonly #sockets = new Set<Socket>();
  #server: Server;
  #hushed: boolean = false;
  #sentBytes = 0;

  constructor(server: Server, port: number, target: number) {
    this.#server = server;
    this.port = port;
    this.#target = target;
    this.#serve();
  }

  static async to(target: number): Promise<Relay> {
    const server = createServer();
    const port = await listen(server, 0);
    return new Relay(server, port, target);
  }

  /** Bytes that clients sent through it. */
  get sentBytes(): number {
    return this.#sentBytes;
  }

  /** Ends every connection, and refuses new ones until `mend`. */
  async cut(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  /** Ends every connection; new ones are accepted immediately. */
  drop(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Forwards nothing until `mend`, while connections stay open and new ones are accepted. */
  hush(): void {
    this.#hushed = true;
    for (const socket of this.#sockets) socket.pause();
  }

  async mend(): Promise<void> {
    if (this.#hushed) {
      this.#hushed = false;
      for (const socket of this.#sockets) socket.resume();
      return;
    }
    this.#server = createServer();
    this.#serve();
    await listen(this.#server, this.port);
  }

  #serve(): void {
    this.#server.on("connection", (near) => {
      const far = connect(this.#target, "127.0.0.1");
      near.on("data", (chunk) => {
        this.#sentBytes += chunk.length;
      });
      for (const [from, to] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#sockets.add(from);
        from.pipe(to);
        from.once("error", () => to.destroy());
        from.once("close", () => {
          this.#sockets.delete(from);
          to.destroy();
        });
        if (this.#hushed) from.pause();
      }
    });
  }
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      if (address === null || typeof address === "string") reject(new Error("no port was given"));
      else resolve(address.port);
    });
  });
}
