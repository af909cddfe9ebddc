import { z } from "zod/mini";

/**
 * `--adopt`: whether objects that upstream's manager created, and that two proofs show to belong to an object, are adopted or
 * only reported.
 */
const ADOPT_POLICIES = ["published", "report"] as const;
export type AdoptPolicy = (typeof ADOPT_POLICIES)[number];

/** The text in the reason of an adoption that the flag allowed, rather than proofs or a user's action. */
export const BY_CONSENT_FLAG = "as --adopt-consent allows";

/** Upstream's two proofs that a load balancer without a mark belongs to a Service: its name, and the published address. */
export const loadBalancerProofSchema = z.enum(["name", "address"]);
export type LoadBalancerProof = z.infer<typeof loadBalancerProofSchema>;

/**
 * The proofs that a route without a mark belongs to a Node: it leads to exactly one of its pod ranges, to its machine, or its
 * name contains the UID, like upstream's hint. Any two are enough.
 */
export const routeProofSchema = z.enum(["range", "machine", "name"]);
export type RouteProof = z.infer<typeof routeProofSchema>;
