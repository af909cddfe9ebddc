import { z } from "zod";
import { isControllerName } from "../controller-names.ts";
import { DAY_MS, defineAction, HOUR_MS, MINUTE_MS, until } from "./define.ts";

/** More than ever work on one object. */
const MOST_CONTROLLERS = 20;

const cloudId = z.string().min(1).max(200);

/** Actions on one object; they are carried out by a run of that object's controller. */
export const OBJECT_ACTIONS = [
  defineAction({
    kind: "retry",
    fields: {
      /** Whose loops are to do the object again, in this order. Absent: the loop of the controller that the intent names. */
      controllers: z
        .array(z.string().max(100).refine(isControllerName, "there is no such controller"))
        .min(1)
        .max(MOST_CONTROLLERS)
        .readonly()
        .optional(),
    },
    role: "operator",
    carriers: "any",
    isOwnWork: true,
    isDoneEachTime: true,
    inBulk: { title: (things) => `Retry ${things}`, done: "retried" },
    verb: "*.retry",
    right: "Retry a node, load balancer, route or volume",
    usualReason: "Requested from the dashboard",
    opener: "Retry now",
    title: (_action, object) => `Retry ${object}`,
    button: (_action, word) => `Retry ${word}`,
  }),
  defineAction({
    kind: "hold",
    fields: { until },
    role: "operator",
    carriers: "declared",
    needsPlan: true,
    isWithoutCloud: true,
    group: "object",
    inBulk: { title: (things) => `Hold ${things}`, done: "held" },
    lengths: {
      longest: 7 * DAY_MS,
      usual: HOUR_MS,
      choices: [
        ...[15 * MINUTE_MS, 30 * MINUTE_MS, HOUR_MS, 4 * HOUR_MS, 12 * HOUR_MS],
        ...[DAY_MS, 3 * DAY_MS, 7 * DAY_MS],
      ],
    },
    verb: "*.hold",
    right: "Hold one of them, so that no controller writes to it",
    opener: "Hold…",
    title: (_action, object) => `Hold ${object}`,
    button: (_action, word) => `Hold ${word}`,
    consequences: (action, { changes, clock }) => [
      ...(changes.some(({ kind }) => kind === "node.override-end")
        ? ["The uninitialized taint comes back first, because it was overridden."]
        : []),
      changes.some(({ target }) => target.kind === "Service")
        ? "While it is held, its load balancer is compared and shown, but nothing of it is written or deleted."
        : "While it is held, nothing is written to it: it is neither initialised nor changed nor deleted.",
      `The hold lifts by itself at ${clock(action.until)}.`,
    ],
  }),
  defineAction({
    kind: "release",
    fields: {},
    role: "operator",
    carriers: "declared",
    // A deletion of the object that the hold has kept back is carried out at once.
    mayTakeTraffic: true,
    isWithoutCloud: true,
    group: "object",
    inBulk: { title: (things) => `Release ${things}`, done: "released" },
    verb: "*.release",
    right: "Release what is held",
    opener: "Release…",
    title: (_action, object) => `Release ${object}`,
    button: (_action, word) => `Release ${word}`,
    consequences: () => ["It is checked at once, and what is missing is written."],
  }),
  /** Lifts the taint of a node that is not initialised; it comes back at `until` if the node is still not initialised then. */
  defineAction({
    kind: "override",
    fields: { until },
    role: "admin",
    carriers: "declared",
    // Pods, and with them the traffic of their Services, move to a node whose machine the cloud has not confirmed.
    mayTakeTraffic: true,
    needsPlan: true,
    group: "object",
    isDestructive: true,
    lengths: {
      longest: 7 * DAY_MS,
      usual: 4 * HOUR_MS,
      choices: [HOUR_MS, 4 * HOUR_MS, 12 * HOUR_MS, DAY_MS, 3 * DAY_MS, 7 * DAY_MS],
    },
    verb: "node.override",
    right: "Override the taint of a node that is not initialised",
    opener: "Override taint…",
    title: (_action, object) => `Override the taint of ${object}`,
    button: () => "Override taint",
    typed: (_action, { name }) => ({ what: "the node's name", text: name }),
    consequences: (action, { notTaken, clock }) => [
      ...notTaken.flatMap(({ step }) => WITHOUT[step] ?? []),
      `If it is still not initialised at ${clock(action.until)}, the taint comes back.`,
      "Cannot be undone for pods that have started on it by then.",
    ],
  }),
  /** Writes everything of a load balancer again, also what is in sync. */
  defineAction({
    kind: "reensure",
    fields: {},
    role: "operator",
    carriers: "declared",
    // Listeners, members and health checks of a load balancer in use are written, and some clouds interrupt it for that.
    mayTakeTraffic: true,
    needsPlan: true,
    group: "object",
    isDoneEachTime: true,
    inBulk: { title: (things) => `Write all of ${things} again`, done: "written again" },
    verb: "balancer.reensure",
    right: "Write all of a load balancer again",
    opener: "Write all again…",
    title: (_action, object) => `Write the load balancer of ${object} again`,
    button: () => "Write all again",
    consequences: () => [
      "Everything of its load balancer is written again, including what is in sync.",
    ],
  }),
  /** Makes a load balancer without an owner ours, for this Service; or a route, for this Node. */
  defineAction({
    kind: "adopt",
    fields: { balancer: cloudId.optional(), route: cloudId.optional() },
    role: "admin",
    carriers: "declared",
    // Listeners and members that the Service does not ask for are removed; an adopted route is replaced.
    mayTakeTraffic: true,
    needsPlan: true,
    group: "object",
    inBulk: { title: (things) => `Adopt ${things}`, done: "adopted", onlyWaiting: true },
    isDoneEachTime: true,
    removes: true,
    isDestructive: true,
    verb: "balancer.adopt",
    right: "Adopt a load balancer or route that has no owner",
    opener: "Adopt…",
    title: ({ balancer: loadBalancer, route }, object) =>
      `Adopt ${route === undefined ? `load balancer ${loadBalancer}` : `route ${route}`} for ${object}`,
    button: ({ route }) => (route === undefined ? "Adopt load balancer" : "Adopt route"),
    typed: ({ balancer: loadBalancer, route }) =>
      route === undefined
        ? { what: "the load balancer's id", text: loadBalancer ?? "" }
        : { what: "the route's id", text: route },
    problem: ({ balancer: loadBalancer, route }, { kind }) => {
      const [own, other] = kind === "Node" ? [route, loadBalancer] : [loadBalancer, route];
      return own !== undefined && other === undefined
        ? undefined
        : "An adopt names the load balancer that a Service adopts, or the route that a Node does, and nothing else.";
    },
    consequences: ({ route }) =>
      route === undefined
        ? [
            "This Service becomes the owner of the load balancer; its listeners and members become the Service's.",
            "What the Service does not ask for is removed from it.",
          ]
        : [
            "The route is removed; if the node needs one to its pod range, its own route replaces it.",
          ],
  }),
  /** Takes the finalizer off a Service that is being deleted, and leaves in the cloud what could not be deleted there. */
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
    right: "Let a Service go although its load balancer is still in the cloud",
    opener: "Let it go…",
    title: (_action, object) => `Let ${object} go without deleting its load balancer`,
    button: () => "Let it go",
    typed: (_action, { name }) => ({ what: "the Service's name", text: name }),
    consequences: () => [
      "The Service disappears from the cluster. This cannot be undone.",
      "Its load balancer, with its address, stays in the cloud and may cost money; it is listed under Orphans as soon as the cloud shows it, and is removed there.",
    ],
  }),
  /** Deletes a load balancer of this cluster that has no Service any more. The cloud's id is the name of its object. */
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
    right: "Remove a load balancer without a Service",
    opener: "Remove…",
    title: ({ balancer: loadBalancer }) => `Remove load balancer ${loadBalancer}`,
    button: () => "Remove load balancer",
    typed: ({ balancer: loadBalancer }) => ({ what: "the load balancer's id", text: loadBalancer }),
    problem: ({ balancer: loadBalancer }, { name }) =>
      name === loadBalancer
        ? undefined
        : "A remove-orphan action names the load balancer as its object and in the action: both must be the same.",
    consequences: () => [
      "It is deleted in the cloud with its address. The address cannot be recovered.",
    ],
  }),
] as const;

const WITHOUT: Readonly<Record<string, string>> = {
  "provider ID": "Without a provider ID volumes cannot attach.",
  addresses: "Without addresses from the cloud kubectl logs and exec may fail.",
  labels: "Without zone and type labels, pods that require a zone are not scheduled there.",
};
