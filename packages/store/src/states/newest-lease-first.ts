import type { Prisma } from "../generated/client.ts";

/** Of processes that say that they lead: one that ended without a word has said so until the end, and the newer lease wins. */
export const NEWEST_LEASE_FIRST: readonly Prisma.ControllerInstanceOrderByWithRelationInput[] = [
  { leaseTransitions: { sort: "desc", nulls: "last" } },
  { heardAt: "desc" },
];
