import type { Http2SecureServer } from "node:http2";
import type { Server } from "node:https";
import { PlainError } from "../plain-error.ts";

export interface ListenWish {
  readonly host: string;
  /** 0 takes a free one: a flag's 0, no listener, is the caller's business. */
  readonly port: number;
  /** The flags with which to choose another address, for the message. */
  readonly chosenBy: string;
}

/** Throws PlainError when it cannot listen. */
export function listen(
  server: Server | Http2SecureServer,
  { host, port, chosenBy }: ListenWish,
): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) => {
      const why = cause.code === "EADDRINUSE" ? "it is in use" : cause.message;
      reject(
        new PlainError(
          `HTTPS cannot listen on ${host} port ${port}: ${why}; choose others by ${chosenBy}.`,
          { cause },
        ),
      );
    });
    server.listen({ host, port }, resolve);
  });
}
