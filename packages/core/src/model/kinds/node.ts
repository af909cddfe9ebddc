import { z } from "zod/mini";
import { speakerFor } from "../controller-names.ts";
import {
  addressSchema,
  type NodeFacts,
  nodeFactsSchema,
  objectStateSchema,
} from "../records/node-record.ts";
import { nodeRoutesDetailSchema } from "../records/route-record.ts";
import { defineObjectKind, type SharedFacts } from "./define-kind.ts";
import type { KnownObject } from "./known-object.ts";

const { node: NODE, timeline: TIMELINE } = objectStateSchema.def.innerType.shape;

/** A Node of the cluster. All controllers that work on Nodes report on it, so each part has a detail of its own. */
export const nodeKind = defineObjectKind({
  name: "Node",
  table: "node_states",
  subject: (object) => ({ ...object, facts: shownFacts(object) }),
  shared: sharedFacts,
  columns: {
    /** From registration to initialisation. */
    initMs: {
      type: "bigint",
      read: ({ initialisedAt, node }): number | undefined =>
        initialisedAt === undefined || node === undefined
          ? undefined
          : Math.max(0, Math.round(initialisedAt - node.createdAt)),
    },
    zone: { type: "text", read: ({ facts }): string | undefined => facts.zone },
    instanceType: { type: "text", read: ({ facts }): string | undefined => facts.instanceType },
    addresses: {
      type: "jsonb",
      schema: z.readonly(z.array(addressSchema)),
      fallback: [],
      read: ({ facts }) => facts.addresses,
    },
    ready: {
      type: "text",
      schema: z.enum(["True", "False", "Unknown", "Missing"]),
      read: ({ node }) => node?.ready,
    },
    initialisedAt: { type: "time", inLists: false, read: ({ initialisedAt }) => initialisedAt },
    node: { type: "jsonb", schema: NODE, inLists: false, read: ({ node }) => node },
    cloud: { type: "jsonb", schema: nodeFactsSchema, inLists: false, read: ({ cloud }) => cloud },
    wanted: {
      type: "jsonb",
      schema: nodeFactsSchema,
      inLists: false,
      read: ({ wanted }) => wanted,
    },
    timeline: {
      type: "jsonb",
      schema: TIMELINE,
      inLists: false,
      read: ({ timeline }) => timeline,
    },
  },
  keeps: ["initialisedAt", "node", "cloud", "wanted", "timeline"],
  sorts: {
    state: "state",
    name: "name",
    since: "since",
    init: "initMs",
    zone: "zone",
    type: "instanceType",
  },
  filters: {
    zones: { column: "zone", match: "any" },
    types: { column: "instanceType", match: "any" },
  },
  facets: ["zones", "types"],
});

/** The facts by which a Node, and its routes, are found. */
function sharedFacts({ node, parts, facts }: Facts): SharedFacts {
  const addresses = facts.addresses?.map(({ address }) => address) ?? [];
  const detail = nodeRoutesDetailSchema.safeParse(parts[speakerFor("NodeRoutes")]?.detail).data;
  const routes = detail?.cells.flatMap(({ cidr, route }) => [cidr, route?.id]) ?? [];
  return {
    createdAt: node?.createdAt,
    providerID: facts.providerID,
    address: addresses[0],
    words: [facts.providerID, ...addresses, ...routes],
  };
}

type Facts = KnownObject & { readonly facts: Partial<NodeFacts> };

/** The node's own facts and, where it has none yet, the cloud's. */
function shownFacts({ node, cloud }: KnownObject): Partial<NodeFacts> {
  const known = Object.entries(node?.facts ?? {}).filter(([, value]) => value !== undefined);
  const own: Partial<NodeFacts> = Object.fromEntries(known);
  const { addresses, ...others } = own;
  return { ...cloud, ...(addresses?.length === 0 ? others : own) };
}
