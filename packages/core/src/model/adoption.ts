import { z } from "zod/mini";

/** `--adopt`: whether what upstream's manager made, and two proofs show to be an object's own, is adopted or only reported. */
const ADOPT_POLICIES = ["published", "report"] as const;
export type AdoptPolicy = (typeof ADOPT_POLICIES)[number];

/** What the reason of an adoption says that neither proofs nor a user's action but the flag allowed. */
export const BY_CONSENT_FLAG = "as --adopt-consent allows";

/** By which of upstream's two proofs a load balancer without a mark is a Service's: its name, and the published address. */
export const loadBalancerProofSchema = z.enum(["name", "address"]);
export type LoadBalancerProof = z.infer<typeof loadBalancerProofSchema>;

/**
 * By which proofs a route without a mark is a Node's: it leads to just one of its pod ranges, to its machine, or is named by its
 * UID as upstream's hint is. Any two of them are enough.
 */
export const routeProofSchema = z.enum(["range", "machine", "name"]);
export type RouteProof = z.infer<typeof routeProofSchema>;
