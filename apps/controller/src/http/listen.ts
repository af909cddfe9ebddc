import type { Server, Socket } from "node:net";
import { PlainError } from "../plain-error.ts";

export interface ListenOptions {
  readonly host: string;
  /** 0 takes a free one: a flag's 0, no listener, is the caller's business. */
  readonly port: number;
  /** The flags with which to choose another address, for the message. */
  readonly chosenBy: string;
}

/** Throws PlainError when it cannot listen. */
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

/** How long answers on their way have; a connection that asks nothing would hold the process for as long as it likes. */
const GRACE_MS = 1_000;

/** What ends a server: it takes no new connection, and after a moment those that are left are broken. */
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
