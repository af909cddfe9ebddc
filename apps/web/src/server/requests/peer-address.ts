import { randomBytes } from "node:crypto";
import { processWide } from "../process-wide.ts";

/**
 * Next hands no socket to its routes, so the address of whoever is at its other end travels in a header, which the edge
 * sets (edge/edge.ts). Its name is made anew in each process, because what a client can name it can also send.
 */
export function peerHeader(): string {
  return processWide("peer-header", () => `x-peer-${randomBytes(12).toString("hex")}`);
}
