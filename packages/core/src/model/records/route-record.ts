import { z } from "zod/mini";
import { routeProofSchema } from "../adoption.ts";

/**
 * The state of the route to a pod range. `keep`: correct. `add`, `update`, `remove`: what the last plan wants to do.
 * `missing`: wanted, and not created for the reason in the node's state. `foreign`: somebody else's route has the
 * destination. `blackhole`: it leads to a machine that is gone.
 */
export const ROUTE_VERDICTS = [
  "keep",
  "add",
  "update",
  "remove",
  "missing",
  "foreign",
  "blackhole",
] as const;
export type RouteVerdict = (typeof ROUTE_VERDICTS)[number];

/** One pod range of a node and the route that leads to it (UX.md section 7). */
export const routeCellSchema = z.readonly(
  z.object({
    /** Canonical. */
    cidr: z.string(),
    family: z.enum(["IPv4", "IPv6"]),
    verdict: z.enum(ROUTE_VERDICTS),
    /** The route in the cloud; absent if there is none. */
    route: z.optional(
      z.readonly(
        z.object({
          id: z.string(),
          table: z.string(),
          name: z.string(),
          /** In the cloud's spelling. */
          destination: z.string(),
          /** Provider ID or name of the machine to which it leads; absent if it leads nowhere. */
          nextHop: z.optional(z.string()),
          owner: z.optional(z.string()),
        }),
      ),
    ),
    /** Provider ID, else the name, of the machine to which it should lead. */
    wantedNextHop: z.string(),
    /**
     * How a route without a mark is known to be the node's: by two proofs, or as with `--adopt=report`, which leaves it as it
     * is.
     */
    ownership: z.optional(z.enum(["proofs", "report"])),
    /** Evidence: the owner of a foreign route, the other node with the same range, the cloud's refusal. */
    evidence: z.optional(z.string()),
    /** When we last created or removed something for it, in milliseconds since the epoch, and in which run. */
    changedAt: z.optional(z.number()),
    runId: z.optional(z.string()),
  }),
);
export type RouteCell = z.infer<typeof routeCellSchema>;

export const nodeRoutesDetailSchema = z.readonly(
  z.object({
    kind: z.literal("routes"),
    /** In the Node's order. */
    cells: z.readonly(z.array(routeCellSchema)),
    /** The Node's condition NetworkUnavailable. */
    condition: z.optional(
      z.readonly(
        z.object({ status: z.string(), reason: z.string(), since: z.optional(z.number()) }),
      ),
    ),
    /** When the cloud answered, in milliseconds since the epoch. */
    asOf: z.optional(z.number()),
  }),
);
/** What the pages show of a node's routes: the `detail` of its state under the route controller. */
export type NodeRoutesDetail = z.infer<typeof nodeRoutesDetailSchema>;

export const staleRouteDetailSchema = z.readonly(
  z.object({
    kind: z.literal("route"),
    table: z.string(),
    destination: z.string(),
    nextHop: z.optional(z.string()),
    owner: z.optional(z.string()),
    blackhole: z.boolean(),
  }),
);
/** A route of ours that no Node needs: the `detail` of its state, whose object is a Route named by its id. */
export type StaleRouteDetail = z.infer<typeof staleRouteDetailSchema>;

/** How many foreign routes of a table are listed individually. */
export const MOST_FOREIGN_ROUTES = 500;

export const routeTableDetailSchema = z.readonly(
  z.object({
    kind: z.literal("table"),
    tableName: z.string(),
    used: z.number(),
    /** Absent if the cloud does not report it. */
    capacity: z.optional(z.number()),
    ours: z.number(),
    /** How many routes the current nodes still lack. */
    missing: z.number(),
    foreignCount: z.number(),
    /** Those inside the cluster's ranges first; at most `MOST_FOREIGN_ROUTES`. */
    foreign: z.readonly(
      z.array(
        z.readonly(
          z.object({
            id: z.string(),
            name: z.string(),
            destination: z.string(),
            nextHop: z.optional(z.string()),
            owner: z.optional(z.string()),
            blackhole: z.boolean(),
            /** Whether it lies in a pod range. */
            inRange: z.boolean(),
            /** The evidence that it may be ours; consent is needed to adopt it. */
            proofs: z.optional(z.readonly(z.array(routeProofSchema))),
          }),
        ),
      ),
    ),
    asOf: z.number(),
  }),
);
/** A route table: the `detail` of its state, whose object is a RouteTable named by its id. */
export type RouteTableDetail = z.infer<typeof routeTableDetailSchema>;

export const nodeRangesDetailSchema = z.readonly(
  z.object({
    kind: z.literal("ranges"),
    podCIDRs: z.readonly(z.array(z.string())),
    /** One for each cluster CIDR, in the flag's order. */
    pools: z.readonly(
      z.array(
        z.readonly(
          z.object({
            clusterCIDR: z.string(),
            nodeMask: z.number(),
            capacity: z.number(),
            used: z.number(),
          }),
        ),
      ),
    ),
  }),
);
/** What the pages show of a node's pod ranges: the `detail` of its state under the IPAM controller. */
export type NodeRangesDetail = z.infer<typeof nodeRangesDetailSchema>;
