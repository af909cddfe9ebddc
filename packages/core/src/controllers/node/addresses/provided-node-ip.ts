import { isIPv4, isIPv6 } from "node:net";
import type { NodeAddress } from "@cloudwright/provider-api";
import type { ReasonOf } from "../../../model/reason.ts";
import { phrased } from "../../../model/reasons/phrases.ts";

/** Addresses in the kubelet's order of preference, or why the annotation cannot be obeyed. */
export type Preferred =
  | {
      readonly kind: "addresses";
      readonly addresses: readonly NodeAddress[];
      /** How many of the first addresses belong to each IP that the annotation names. */
      readonly preferred: readonly number[];
    }
  | {
      readonly kind: "refused";
      readonly reason: ReasonOf<"ProvidedNodeIPInvalid"> | ReasonOf<"ProvidedNodeIPUnknown">;
    };

/**
 * Puts the addresses that the annotation names first and drops the others of their types (spec/10 §6). The cloud's
 * spelling of an address is kept.
 */
export function preferProvidedIPs(
  annotation: string | undefined,
  addresses: readonly NodeAddress[],
): Preferred {
  if (annotation === undefined) return { kind: "addresses", addresses, preferred: [] };
  const wanted = annotation.split(",").map(canonicalIP);
  const problem = problemOf(wanted);
  if (problem !== undefined)
    return refuse({ code: "ProvidedNodeIPInvalid", annotation, ...problem });
  const first: (readonly NodeAddress[])[] = [];
  for (const ip of wanted) {
    const known = matching(addresses, ip);
    if (known.length === 0) return refuse(unknown(ip ?? annotation, addresses));
    first.push(known);
  }
  return {
    kind: "addresses",
    addresses: putFirst(first.flat(), addresses),
    preferred: first.map(({ length }) => length),
  };
}

/**
 * Returns the addresses that a node would have if the annotation could be obeyed: an IP that the cloud does not know is
 * shown as an internal IP. An annotation that names nothing asks for nothing.
 */
export function namedAddresses(
  annotation: string,
  addresses: readonly NodeAddress[],
): readonly NodeAddress[] {
  const named = annotation.split(",").filter((text) => text !== "");
  return putFirst(
    named.flatMap((text) => {
      const known = matching(addresses, canonicalIP(text));
      return known.length > 0 ? known : [{ type: "InternalIP", address: text } as const];
    }),
    addresses,
  );
}

/**
 * Returns one text for all spellings of an IP, or undefined for anything else. Leading zeros of IPv4 parts are
 * tolerated.
 */
export function canonicalIP(text: string): string | undefined {
  return canonicalIPv4(text) ?? canonicalIPv6(text);
}

function matching(
  addresses: readonly NodeAddress[],
  ip: string | undefined,
): readonly NodeAddress[] {
  return ip === undefined ? [] : addresses.filter(({ address }) => canonicalIP(address) === ip);
}

function putFirst(
  first: readonly NodeAddress[],
  addresses: readonly NodeAddress[],
): readonly NodeAddress[] {
  const claimed = new Set(first.map(({ type }) => type));
  return [...first, ...addresses.filter(({ type }) => !claimed.has(type))];
}

function canonicalIPv4(text: string): string | undefined {
  // This covers nearly all: without leading zeros the text is already canonical.
  if (isIPv4(text)) return text;
  if (!/^\d+(\.\d+){3}$/.test(text)) return undefined;
  const parts = text.split(".").map(Number);
  return parts.every((part) => part <= 255) ? parts.join(".") : undefined;
}

function canonicalIPv6(text: string): string | undefined {
  if (!isIPv6(text) || text.includes("%")) return undefined;
  const compressed = new URL(`http://[${text}]`).hostname.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(compressed);
  if (mapped === null) return compressed;
  const [high, low] = mapped.slice(1).map((part) => Number.parseInt(part, 16));
  return [high, low].flatMap((part = 0) => [part >> 8, part & 255]).join(".");
}

function problemOf(
  wanted: readonly (string | undefined)[],
): Pick<ReasonOf<"ProvidedNodeIPInvalid">, "problem" | "phrase"> | undefined {
  if (wanted.some((ip) => ip === undefined)) return phrased("problem", "nodeIPNoAddress");
  if (wanted.some((ip) => ip === "0.0.0.0" || ip === "::"))
    return phrased("problem", "nodeIPUnspecified");
  if (wanted.length > 2) return phrased("problem", "nodeIPTooMany");
  const [first, second] = wanted;
  if (second !== undefined && isVersion6(first) === isVersion6(second))
    return phrased("problem", "nodeIPOneFamily");
  return undefined;
}

function isVersion6(ip: string | undefined): boolean {
  return ip?.includes(":") === true;
}

function refuse(reason: Extract<Preferred, { kind: "refused" }>["reason"]): Preferred {
  return { kind: "refused", reason };
}

function unknown(
  wanted: string,
  addresses: readonly NodeAddress[],
): ReasonOf<"ProvidedNodeIPUnknown"> {
  return {
    code: "ProvidedNodeIPUnknown",
    wanted,
    cloudHas: addresses.map(({ address }) => address),
  };
}
