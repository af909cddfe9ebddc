import { z } from "zod/mini";
import { loadBalancerDetailSchema, orphanDetailSchema } from "../records/load-balancer-record.ts";
import { compactVerdicts } from "./compact-verdicts.ts";
import { defineObjectKind } from "./define-kind.ts";

const TABLE = "load_balancer_states";

/** A Service of type LoadBalancer, and what the cloud has for it. */
export const serviceKind = defineObjectKind({
  name: "Service",
  table: TABLE,
  // A page of the list must not read the details: each contains a verdict for every node.
  detail: { schema: loadBalancerDetailSchema, inLists: false },
  subject: ({ createdAt, detail }) => {
    const reported = OF_SERVICE.safeParse(detail).data;
    const published = reported?.published.flatMap(({ ip, hostname }) => ip ?? hostname ?? []) ?? [];
    const addresses = published.length > 0 ? published : (reported?.actual?.addresses ?? []);
    return { createdAt, reported, actual: reported?.actual, addresses };
  },
  shared: ({ createdAt, actual, addresses }) => ({
    createdAt,
    providerID: actual?.id,
    address: addresses[0],
    words: [actual?.id, actual?.name, ...addresses],
  }),
  columns: {
    /** The cloud's word, such as `network`. */
    type: { type: "text", read: ({ actual }): string | undefined => actual?.type },
    /** What the Service publishes; if that is nothing, the load balancer's own addresses. */
    addresses: { type: "text[]", fallback: [], read: ({ addresses }) => addresses },
    /** How many nodes are behind it, and how many should be. */
    membersIn: { type: "int", read: ({ reported }) => reported?.membersIn },
    membersWanted: { type: "int", read: ({ reported }) => reported?.membersWanted },
    /** The share of those that should be, so that the emptiest comes first, whatever its size. */
    membersShare: {
      type: "float8",
      inLists: false,
      read: ({ reported }) =>
        reported === undefined || reported.membersWanted === 0
          ? undefined
          : reported.membersIn / reported.membersWanted,
    },
    /** The verdict on each node by its name, in few bytes, so that one node's is quickly found in many rows. */
    memberVerdicts: {
      type: "jsonb",
      inLists: false,
      read: ({ reported }) => reported && compactVerdicts(reported.members),
    },
    /** When we last changed something of it. */
    changedAt: { type: "time", read: ({ reported }) => reported?.changedAt },
  },
  sorts: {
    state: "state",
    name: "name",
    since: "since",
    members: "membersShare",
    changed: "changedAt",
  },
  filters: {},
  facets: [],
});

/** A load balancer of this cluster that has no Service. */
export const orphanKind = defineObjectKind({
  name: "LoadBalancer",
  table: TABLE,
  detail: { schema: orphanDetailSchema, inLists: true },
  subject: ({ createdAt, detail }) => {
    const orphan = orphanDetailSchema.safeParse(detail).data;
    return { createdAt, orphan, actual: orphan?.actual };
  },
  shared: ({ createdAt, orphan, actual }) => ({
    createdAt: createdAt ?? actual?.createdAt,
    providerID: actual?.id,
    address: actual?.addresses[0],
    words: [
      actual?.id,
      actual?.name,
      ...(actual?.addresses ?? []),
      orphan?.service,
      orphan?.serviceUid,
    ],
  }),
  columns: {
    type: { type: "text", read: ({ actual }): string | undefined => actual?.type },
    addresses: { type: "text[]", fallback: [], read: ({ actual }) => actual?.addresses },
  },
  sorts: { since: "since", name: "name" },
  filters: {},
  facets: [],
});

const OF_SERVICE = z.omit(loadBalancerDetailSchema.def.innerType, { aspects: true });
