/** The building blocks of the texts for causes. */
import type { LoadBalancerProof, RouteProof } from "../adoption.ts";
import { CONTROLLERS } from "../controller-names.ts";
import { t, worded } from "../language/text.ts";

/** Omits the full stop, as the sentence has its own. */
export function inOneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, " ").replace(/\.+$/, "");
}

export function shortened(text: string, excess: number): string {
  return start(text, Math.max(1, text.length - excess));
}

/** The longest label value has 63 characters, and 64 show that one is longer. */
export function start(text: string, length = 64): string {
  if (text.length <= length) return text;
  return `${text
    .slice(0, length - 1)
    .replace(HALF_LETTER, "")
    .trimEnd()}…`;
}

const HALF_LETTER = /[\ud800-\udbff]$/;

/** Returns `w-1`, or `w-1 and 3 more`. */
export function andMore(name: string, more: number): string {
  return more === 0 ? name : t`${name} and ${more} more`;
}

/** Returns the first of many values; those left out are counted. */
export function few(values: readonly string[]): string {
  const shown = values.slice(0, MOST_NAMED);
  const more = values.length - shown.length;
  return andMore(shown.join(", "), more);
}

const MOST_NAMED = 4;

/** Minutes are enough, as users set these times. */
export function clockTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

/** Returns the known parts in brackets. */
export function evidence(...parts: readonly string[]): string {
  const known = parts.filter((part) => part !== "");
  return known.length === 0 ? "" : ` (${known.join(", ")})`;
}

export function requestOf({ requestId }: { readonly requestId?: string | undefined }): string {
  return requestId === undefined ? "" : t`request ${requestId}`;
}

export function statusOf({ status }: { readonly status?: number | undefined }): string {
  return status === undefined ? "" : t`status ${status}`;
}

/** Returns `the node controller`; a name that this version does not know is returned unchanged. */
export function controllerOf({ controller }: { readonly controller: string }): string {
  const known = Object.entries(CONTROLLERS).find(([name]) => name === controller);
  if (known === undefined) return controller;
  return t`the ${known[1].folder.replaceAll("-", " ").replace("ipam", "IPAM")} controller`;
}

/** Returns which of the two proofs that a load balancer is a Service's exists, and which is missing. */
export function proofText(proofs: readonly LoadBalancerProof[] = []): string {
  if (proofs.length === 2)
    return t`: it has this Service's name and published address, and --adopt=report leaves it as it is`;
  if (proofs.includes("name"))
    return t`: it has this Service's name, but not the address that the Service publishes`;
  return proofs.includes("address")
    ? t`: it has the address that the Service publishes, but not the name that the earlier manager would have given it`
    : "";
}

const ROUTE_PROOFS: Readonly<Record<RouteProof, string>> = worded({
  range: () => t`leads to the node's pod range`,
  machine: () => t`leads to the node's machine`,
  name: () => t`is named by the node's UID`,
});

/** For a single proof: what is missing. */
const ONLY_PROOF: Readonly<Record<RouteProof, string>> = worded({
  range: () => t`leads to the node's pod range, but not to its machine`,
  machine: () => t`leads to the node's machine, but not to its pod range`,
  name: () => t`is named by the node's UID, but leads to neither its pod range nor its machine`,
});

/** Returns the evidence that a route is a node's, and why it is not enough. */
export function routeProofText(proofs: readonly RouteProof[]): string {
  const [only, ...others] = proofs;
  if (only === undefined) return t`has no proof of being the node's`;
  if (others.length === 0) return ONLY_PROOF[only];
  const words = proofs
    .map((one) => ROUTE_PROOFS[one])
    .reduce((before, next) => t`${before} and ${next}`);
  return t`${words}, and --adopt=report leaves it as it is`;
}
