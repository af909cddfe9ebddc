import type { Server, Socket } from "node:net";
import { PlainError } from "../plain-error.ts";

export interface ListenOptions {
  readonly host: string;
  /** 0 takes a free port: that a flag's 0 means no listener is the caller's business. */
  readonly port: number;
  /** The flags that choose another address, for the message. */
  readonly chosenBy: string;
}

/** Starts listening. Throws PlainError if that fails. */
export function listen(server: Server, { host, port, chosenBy }: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) => {
      const why = cause.code === "EADDRINUSE" ? "it is in use" : cause.message;
      reject(
        new PlainError(
          `HTTPS cannot listen on ${host} port ${port}: ${why}; choose another address with ${chosenBy}.`,
          { cause },
        ),
      );
    });
    server.listen({ host, port }, resolve);
  });
}

/** The time for pending responses; an idle connection would otherwise keep the process alive indefinitely. */
const GRACE_MS = 1_000;

/** Returns a function that ends a server: it accepts no new connections, and closes the remaining ones after a moment. */
export function serverEnding(server: Server): () => Promise<void> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  return () =>
    new Promise((resolve) => {
      const timer = setTimeout(() => {
        for (const socket of sockets) socket.destroy();
      }, GRACE_MS);
      server.close(() => {
        clearTimeout(timer);
        resolve();
      });
    });
}
