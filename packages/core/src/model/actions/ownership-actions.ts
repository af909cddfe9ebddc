import { z } from "zod/mini";
import { t } from "../language/text.ts";
import { defineAction } from "./define.ts";

const cloudId = z.string().check(z.minLength(1), z.maxLength(200));

/** Actions that change the owner of something in the cloud, or that remove something without an owner. */
export const OWNERSHIP_ACTIONS = [
  /** Makes a load balancer without an owner ours, for this Service; or a route, for this Node. */
  defineAction({
    kind: "adopt",
    fields: { balancer: z.optional(cloudId), route: z.optional(cloudId) },
    role: "admin",
    carriers: "declared",
    // Listeners and members that the Service does not ask for are removed; an adopted route is replaced.
    mayTakeTraffic: true,
    needsPlan: true,
    group: "object",
    inBulk: {
      title: (things) => t`Adopt ${things}`,
      done: () => t`adopted`,
      onlyWaiting: true,
    },
    isDoneEachTime: true,
    removes: true,
    isDestructive: true,
    verb: "balancer.adopt",
    right: () => t`Adopt a load balancer or route that has no owner`,
    opener: () => t`Adopt…`,
    title: ({ balancer: loadBalancer, route }, object) =>
      route === undefined
        ? t`Adopt load balancer ${loadBalancer ?? ""} for ${object}`
        : t`Adopt route ${route} for ${object}`,
    button: ({ route }) => (route === undefined ? t`Adopt load balancer` : t`Adopt route`),
    typed: ({ balancer: loadBalancer, route }) =>
      route === undefined
        ? { what: t`the load balancer's ID`, text: loadBalancer ?? "" }
        : { what: t`the route's ID`, text: route },
    problem: ({ balancer: loadBalancer, route }, { kind }) => {
      const [own, other] = kind === "Node" ? [route, loadBalancer] : [loadBalancer, route];
      return own !== undefined && other === undefined
        ? undefined
        : t`An adopt action names the load balancer that a Service adopts, or the route that a Node does, and nothing else.`;
    },
    consequences: ({ route }) =>
      route === undefined
        ? [
            t`This Service becomes the owner of the load balancer; its listeners and members become the Service's.`,
            t`Anything that the Service does not request is removed from it.`,
          ]
        : [
            t`The route is removed; if the node needs one to its pod range, its own route replaces it.`,
          ],
  }),
  /**
   * Removes the finalizer of a Service that is being deleted, and leaves in the cloud what could not be deleted there.
   */
  defineAction({
    kind: "abandon",
    fields: {},
    role: "admin",
    carriers: "declared",
    needsPlan: true,
    isWithoutCloud: true,
    group: "object",
    removes: true,
    isDestructive: true,
    isOnOwnPageAlone: true,
    verb: "service.abandon",
    right: () => t`Let a Service go although its load balancer is still in the cloud`,
    opener: () => t`Let it go…`,
    title: (_action, object) => t`Let ${object} go without deleting its load balancer`,
    button: () => t`Let it go`,
    typed: (_action, { name }) => ({ what: t`the Service's name`, text: name }),
    consequences: () => [
      t`The Service disappears from the cluster. This cannot be undone.`,
      t`Its load balancer, with its address, stays in the cloud and may cost money; it is listed under Orphans as soon as the cloud shows it, and is removed there.`,
    ],
  }),
  /** Deletes a load balancer of this cluster that no longer has a Service. The object's name is the cloud's id. */
  defineAction({
    kind: "remove-orphan",
    fields: { balancer: cloudId },
    role: "admin",
    carriers: "declared",
    // Something outside the cluster may still use its address.
    mayTakeTraffic: true,
    needsPlan: true,
    group: "object",
    isDoneEachTime: true,
    removes: true,
    isDestructive: true,
    verb: "balancer.remove",
    right: () => t`Remove a load balancer without a Service`,
    opener: () => t`Remove…`,
    title: ({ balancer: loadBalancer }) => t`Remove load balancer ${loadBalancer}`,
    button: () => t`Remove load balancer`,
    typed: ({ balancer: loadBalancer }) => ({
      what: t`the load balancer's ID`,
      text: loadBalancer,
    }),
    problem: ({ balancer: loadBalancer }, { name }) =>
      name === loadBalancer
        ? undefined
        : t`A remove-orphan action names the load balancer as its object and in the action: both must be the same.`,
    consequences: () => [
      t`It is deleted in the cloud with its address. The address cannot be recovered.`,
    ],
  }),
] as const;
