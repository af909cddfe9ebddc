import type { Prisma } from "../generated/client.ts";

/** Orders processes that claim to lead: one that crashed claimed it until the end, and the newer lease wins. */
export const NEWEST_LEASE_FIRST: readonly Prisma.ControllerInstanceOrderByWithRelationInput[] = [
  { leaseTransitions: { sort: "desc", nulls: "last" } },
  { heardAt: "desc" },
];
