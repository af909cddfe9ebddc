import { randomBytes } from "node:crypto";
import { type BlockList, isIP } from "node:net";
import { AGENT_MOST, type Client } from "@cloudwright/store/operations/client";
import { environment } from "../environment.ts";
import { processWide } from "../process-wide.ts";
import { familyOf } from "./trusted-proxies.ts";

const UNKNOWN_ADDRESS = "unknown";

/** Returns where a request came from, for the audit log and for limits. */
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
 * Returns the address of the connection's peer; if that is a trusted proxy, the address that it forwards, and so on through the proxies.
 * Entries that a client itself puts in `X-Forwarded-For` come before those and are never believed.
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

/** A dual-stack socket writes an IPv4 address as an IPv6 one. */
function plain(address: string): string {
  const trimmed = address.trim();
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(trimmed);
  return mapped?.[1] ?? trimmed;
}

/**
 * Returns the name of the header with the peer's address. Next gives its routes no socket, so the edge passes the address in a header
 * (edge/edge.ts). Each process picks a new name, because a client could send a header that it can name.
 */
export function peerHeader(): string {
  return processWide("peer-header", () => `x-peer-${randomBytes(12).toString("hex")}`);
}
