/** The small texts that causes are made of. */
import type { LoadBalancerProof, RouteProof } from "../adoption.ts";
import { CONTROLLERS } from "../controller-names.ts";
import { t } from "../language/text.ts";

export function named(word: string, names: readonly string[]): string {
  return names.length === 0 ? "" : `${word}: ${few(names)}`;
}

/** The full stop is the sentence's own. */
export function inOneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, " ").replace(/\.+$/, "");
}

export function shortened(text: string, excess: number): string {
  return start(text, Math.max(1, text.length - excess));
}

/** The longest label value has 63 letters, and 64 show that one is longer. */
export function start(text: string, length = 64): string {
  if (text.length <= length) return text;
  return `${text
    .slice(0, length - 1)
    .replace(HALF_LETTER, "")
    .trimEnd()}…`;
}

const HALF_LETTER = /[\ud800-\udbff]$/;

/** The first of many; what is left out is counted. */
export function few(values: readonly string[]): string {
  const shown = values.slice(0, MOST_NAMED);
  const more = values.length - shown.length;
  return more === 0 ? shown.join(", ") : t`${shown.join(", ")} and ${more} more`;
}

const MOST_NAMED = 4;

/** Minutes are enough: these are ends that users set. */
export function clockTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

/** In brackets, without what is not known. */
export function evidence(...parts: readonly string[]): string {
  const known = parts.filter((part) => part !== "");
  return known.length === 0 ? "" : ` (${known.join(", ")})`;
}

export function requestOf({ requestId }: { readonly requestId?: string | undefined }): string {
  return requestId === undefined ? "" : `request ${requestId}`;
}

export function statusOf({ status }: { readonly status?: number | undefined }): string {
  return status === undefined ? "" : `status ${status}`;
}

/** `the node controller`; a name that this version does not know stands for itself. */
export function controllerOf({ controller }: { readonly controller: string }): string {
  const known = Object.entries(CONTROLLERS).find(([name]) => name === controller);
  if (known === undefined) return controller;
  return t`the ${known[1].folder.replaceAll("-", " ").replace("ipam", "IPAM")} controller`;
}

/** Which of the two proofs that a load balancer is a Service's is there, and which is missing. */
export function proofText(proofs: readonly LoadBalancerProof[] = []): string {
  if (proofs.length === 2)
    return t`: it has this Service's name and published address, and --adopt=report leaves it as it is`;
  if (proofs.includes("name"))
    return t`: it has this Service's name, but not the address that the Service publishes`;
  return proofs.includes("address")
    ? t`: it has the address that the Service publishes, but not the name that the earlier manager would have given it`
    : "";
}

const ROUTE_PROOFS: Record<RouteProof, string> = {
  get range() {
    return t`leads to the node's pod range`;
  },
  get machine() {
    return t`leads to the node's machine`;
  },
  name: "is named by the node's UID",
};

const BUT_NOT: Record<RouteProof, string> = {
  get range() {
    return t`but not to its machine`;
  },
  get machine() {
    return t`but not to its pod range`;
  },
  name: "but leads to neither its pod range nor its machine",
};

/** What speaks for a route's being a node's, and why that is not enough. */
export function routeProofText(proofs: readonly RouteProof[]): string {
  const words = proofs.map((one) => ROUTE_PROOFS[one]).join(" and ");
  const [only, ...others] = proofs;
  if (others.length > 0) return t`${words}, and --adopt=report leaves it as it is`;
  return only === undefined ? t`has no proof of being the node's` : `${words}, ${BUT_NOT[only]}`;
}
