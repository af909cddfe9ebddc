import type { IncomingMessage } from "node:http";

/**
 * Whether a request comes from a program on this machine. Loopback alone would let any web page that is open here call us, by
 * its own name or by one that was made to lead here; browsers give themselves away by these headers.
 */
export function isFromProgramHere({ socket, headers }: IncomingMessage): boolean {
  const fromHere = /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/.test(socket.remoteAddress ?? "");
  const toHere = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/.test(headers.host ?? "");
  return fromHere && toHere && headers.origin === undefined;
}

export const ONLY_PROGRAMS_HERE =
  "/admin answers programs on this machine only: call it from there.";
