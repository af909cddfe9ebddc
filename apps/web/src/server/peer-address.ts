import { randomBytes } from "node:crypto";
import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";
import { processWide } from "./process-wide.ts";

/**
 * Next hands no socket to its routes, so the address of whoever is at its other end travels in a header. Its name is made
 * anew in each process, because what a client can name it can also send.
 */
export function peerHeader(): string {
  return processWide("peer-header", () => `x-peer-${randomBytes(12).toString("hex")}`);
}

/** Notes on each request of this process, before anybody reads it, from which address it came. */
export function notePeers(): void {
  const header = peerHeader();
  subscribe("http.server.request.start", (message) => {
    const { request } = message as { readonly request: IncomingMessage };
    request.headers[header] = request.socket.remoteAddress ?? "";
  });
}
