import type { IncomingMessage } from "node:http";

/**
 * Reports whether a request comes from a program on this machine. Loopback alone would allow any open web page to call us, under our name
 * or one that was made to resolve here; browsers reveal themselves by these headers.
 */
export function isFromProgramHere({ socket, headers }: IncomingMessage): boolean {
  const fromHere = /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/.test(socket.remoteAddress ?? "");
  const toHere = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/.test(headers.host ?? "");
  return fromHere && toHere && headers.origin === undefined;
}

export const ONLY_PROGRAMS_HERE =
  "/admin answers programs on this machine only: call it from there.";
