import { z } from "zod/mini";
import { routeProofSchema } from "../adoption.ts";
import { ownerText } from "../cloud-texts/cloud-texts.ts";
import { t } from "../language/text.ts";
import { reasonsOf } from "./define.ts";
import { evidence, requestOf, routeProofText } from "./text.ts";

const defineReason = reasonsOf({ depth: "network", appearsIn: ["route"] });

const STALE = {
  nodeGone: (to: string) => t`the route to ${to} belongs to a node that is gone`,
  notAsked: (to: string) => t`the route to ${to} is needed by no node`,
  otherTarget: (to: string) => t`the route to ${to} leads to a machine other than its node's`,
  otherAddresses: (to: string) =>
    t`the route to ${to} leads to addresses that its node no longer has`,
  blackhole: (to: string) => t`the route to ${to} leads to a machine that is gone`,
} as const;

export const ROUTE_REASONS = [
  defineReason({
    code: "RouteInStep",
    fields: { routes: z.number() },
    cause: (r) =>
      r.routes === 1 ? t`its route is in sync` : t`its ${r.routes} routes are in sync`,
  }),
  defineReason({
    code: "RouteMissing",
    fields: { cidr: z.string() },
    cause: (r) => t`there is no route to its pod range ${r.cidr}`,
  }),
  /** The Node lacks addresses, not its instance: a route waits for them. */
  defineReason({
    code: "NodeAddressesMissing",
    fields: {},
    cause: () => t`the node has no address yet that a route could lead to`,
    advice: () =>
      t`It continues as soon as the node has one; check why the node is not initialised.`,
  }),
  /** No route is created to a machine that is gone, as the cloud would only refuse it. */
  defineReason({
    code: "RouteWithoutMachine",
    fields: {
      provider: z.string(),
      providerID: z.string(),
      requestId: z.optional(z.string()),
    },
    cause: (r) =>
      t`it has no route because its machine ${r.providerID} does not exist in ${r.provider}${evidence(requestOf(r))}`,
    advice: () => t`This follows from the missing machine; decide whether to keep the node.`,
  }),
  defineReason({
    code: "RouteStale",
    fields: {
      destination: z.string(),
      why: z.enum(["nodeGone", "notAsked", "otherTarget", "otherAddresses", "blackhole"]),
    },
    cause: (r) => STALE[r.why](r.destination),
  }),
  defineReason({
    code: "RouteForeign",
    fields: {
      provider: z.string(),
      cidr: z.string(),
      id: z.string(),
      owner: z.string(),
    },
    cause: (r) =>
      t`the route ${r.id} in ${r.provider} already leads to ${r.cidr} and belongs to ${ownerText(r.owner)}`,
    advice: () =>
      t`Remove that route, or give the node another pod range; we do not take over what others own.`,
    fault: "user",
  }),
  defineReason({
    code: "RouteUnowned",
    fields: {
      provider: z.string(),
      cidr: z.string(),
      id: z.string(),
      /** Which proofs show that it is the Node's own. */
      proofs: z.array(routeProofSchema),
    },
    cause: (r) =>
      t`the route ${r.id} to ${r.cidr} in ${r.provider} has no owner: it ${routeProofText(r.proofs)}`,
    advice: () =>
      t`Adopt it on the node's page or with cloudwright adopt, which puts the node's own route in its place or removes it, or remove it in the cloud.`,
    fault: "user",
    offers: "adopt",
  }),
  defineReason({
    code: "RouteTableFull",
    fields: {
      provider: z.string(),
      cidr: z.string(),
      message: z.string(),
      requestId: z.optional(z.string()),
    },
    cause: (r) =>
      t`${r.provider} has no room for a route to ${r.cidr}: ${r.message}${evidence(requestOf(r))}`,
    advice: () => t`Remove a route from the table, or have its limit raised.`,
    fault: "user",
  }),
  defineReason({
    code: "RouteTableSeen",
    fields: {
      used: z.number(),
      capacity: z.optional(z.number()),
      foreign: z.number(),
    },
    cause: (r) =>
      r.capacity === undefined
        ? t`it holds ${r.used} routes, ${r.foreign} of them not ours`
        : t`it holds ${r.used} of at most ${r.capacity} routes, ${r.foreign} of them not ours`,
  }),
  defineReason({
    code: "RouteDeletionsUnconfirmed",
    fields: { routes: z.number(), of: z.number() },
    cause: (r) =>
      t`${r.routes} of our ${r.of} routes look stale at once, and one listing alone is not enough to delete them`,
    advice: () => t`They are checked once more before any of them is deleted.`,
    needsProof: true,
  }),
  defineReason({
    code: "NetworkConditionDiffers",
    fields: { has: z.string(), wanted: z.string() },
    cause: (r) => t`its condition NetworkUnavailable is ${r.has}, and should be ${r.wanted}`,
  }),
] as const;
