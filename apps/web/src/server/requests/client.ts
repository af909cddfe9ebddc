import { randomBytes } from "node:crypto";
import { type BlockList, isIP } from "node:net";
import { AGENT_MOST, type Client } from "@cloudwright/store/operations/client";
import { environment } from "../environment.ts";
import { processWide } from "../process-wide.ts";
import { familyOf } from "./trusted-proxies.ts";

const UNKNOWN_ADDRESS = "unknown";

/** From where a request came, for the audit log and for limits. */
export function clientOf(headers: Headers): Client {
  return {
    address: addressOf(headers, environment().trustedProxies),
    agent: (headers.get("user-agent") ?? "")
      .toWellFormed()
      .replaceAll("\0", "")
      .slice(0, AGENT_MOST),
  };
}

/**
 * The address at the other end of the connection; where that is a proxy of ours, what it says, and so on from proxy to proxy.
 * What a client itself says in `X-Forwarded-For` stands before those and is never believed.
 */
export function addressOf(headers: Headers, trusted: BlockList): string {
  const claimed = (headers.get("x-forwarded-for") ?? "").split(",").map((each) => plain(each));
  let address = plain(headers.get(peerHeader()) ?? "");
  while (isTrusted(address, trusted)) {
    const before = claimed.pop();
    if (before === undefined || isIP(before) === 0) break;
    address = before;
  }
  return isIP(address) === 0 ? UNKNOWN_ADDRESS : address;
}

function isTrusted(address: string, trusted: BlockList): boolean {
  const family = familyOf(address);
  return family !== undefined && trusted.check(address, family);
}

/** A socket that serves both families writes an IPv4 address as an IPv6 one. */
function plain(address: string): string {
  const trimmed = address.trim();
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(trimmed);
  return mapped?.[1] ?? trimmed;
}

/**
 * Next hands no socket to its routes, so the address of whoever is at its other end travels in a header, which the edge
 * sets (edge/edge.ts). Its name is made anew in each process, because what a client can name it can also send.
 */
export function peerHeader(): string {
  return processWide("peer-header", () => `x-peer-${randomBytes(12).toString("hex")}`);
}
