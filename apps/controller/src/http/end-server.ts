import type { Server, Socket } from "node:net";

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
