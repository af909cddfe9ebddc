import { z } from "zod/mini";
import { isControllerName } from "../controller-names.ts";
import { t, worded } from "../language/text.ts";
import type { Change } from "../plan.ts";
import { DAY_MS, defineAction, HOUR_MS, MINUTE_MS, until } from "./define.ts";
import { OWNERSHIP_ACTIONS } from "./ownership-actions.ts";

/** What an uninitialised node cannot do without a step that an override of its taint skips. */
const WITHOUT_STEP: Readonly<Record<string, string>> = worded({
  "provider ID": () => t`Without a provider ID volumes cannot attach.`,
  addresses: () => t`Without addresses from the cloud kubectl logs and exec may fail.`,
  labels: () => t`Without zone and type labels, pods that require a zone are not scheduled there.`,
});

/** Reports whether this is the end of a hold that kept a load balancer which its Service no longer wants. */
export function letsLoadBalancerGo({ kind, after }: Change): boolean {
  return (
    kind === "service.release" &&
    typeof after === "object" &&
    after !== null &&
    "loadBalancer" in after
  );
}

/** More controllers than ever work on one object. */
const MOST_CONTROLLERS = 20;

/** Actions on one object, which are carried out by a run of that object's controller. */
export const OBJECT_ACTIONS = [
  defineAction({
    kind: "retry",
    fields: {
      /**
       * The loops that have to reconcile the object again, in this order. Absent: the loop of the controller that the intent
       * names.
       */
      controllers: z.optional(
        z.readonly(
          z
            .array(
              z
                .string()
                .check(z.maxLength(100), z.refine(isControllerName, "there is no such controller")),
            )
            .check(z.minLength(1), z.maxLength(MOST_CONTROLLERS)),
        ),
      ),
    },
    role: "operator",
    carriers: "any",
    isOwnWork: true,
    isDoneEachTime: true,
    inBulk: {
      title: (things) => t`Retry ${things}`,
      done: () => t`retried`,
    },
    verb: "*.retry",
    right: () => t`Retry a node, load balancer, route or volume`,
    // Stored with the request and shown to everybody, and therefore in English.
    usualReason: "Requested from the dashboard",
    opener: () => t`Retry now`,
    title: (_action, object) => t`Retry ${object}`,
    button: (_action, word) => t`Retry ${word}`,
  }),
  defineAction({
    kind: "hold",
    fields: { until },
    role: "operator",
    carriers: "declared",
    needsPlan: true,
    isWithoutCloud: true,
    group: "object",
    inBulk: {
      title: (things) => t`Hold ${things}`,
      done: () => t`held`,
    },
    lengths: {
      longest: 7 * DAY_MS,
      usual: HOUR_MS,
      choices: [
        ...[15 * MINUTE_MS, 30 * MINUTE_MS, HOUR_MS, 4 * HOUR_MS, 12 * HOUR_MS],
        ...[DAY_MS, 3 * DAY_MS, 7 * DAY_MS],
      ],
    },
    verb: "*.hold",
    right: () => t`Hold one of them, so that no controller writes to it`,
    opener: () => t`Hold…`,
    title: (_action, object) => t`Hold ${object}`,
    button: (_action, word) => t`Hold ${word}`,
    consequences: (action, { changes, clock }) => [
      ...(changes.some(({ kind }) => kind === "node.override-end")
        ? [t`The uninitialized taint comes back first, because it was overridden.`]
        : []),
      changes.some(({ target }) => target.kind === "Service")
        ? t`While it is held, its load balancer is compared and shown, but nothing of it is changed or deleted.`
        : t`While it is held, nothing is written to it: it is neither initialised nor changed nor deleted.`,
      t`The hold lifts by itself at ${clock(action.until)}.`,
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
    inBulk: {
      title: (things) => t`Release ${things}`,
      done: () => t`released`,
    },
    verb: "*.release",
    right: () => t`Release what is held`,
    opener: () => t`Release…`,
    title: (_action, object) => t`Release ${object}`,
    button: (_action, word) => t`Release ${word}`,
    consequences: (_action, { changes }) => [
      changes.some(letsLoadBalancerGo)
        ? t`Its load balancer is deleted at once, because the Service no longer wants one.`
        : t`It is checked at once, and what is missing is written.`,
    ],
  }),
  /** Removes the taint of an uninitialised node; it comes back at `until` if the node is still uninitialised then. */
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
    right: () => t`Override the taint of a node that is not initialised`,
    opener: () => t`Override taint…`,
    title: (_action, object) => t`Override the taint of ${object}`,
    button: () => t`Override taint`,
    typed: (_action, { name }) => ({ what: t`the node's name`, text: name }),
    consequences: (action, { notTaken, clock }) => [
      ...notTaken.flatMap(({ step }) => WITHOUT_STEP[step] ?? []),
      t`If it is still not initialised at ${clock(action.until)}, the taint comes back.`,
      t`Cannot be undone for pods that have started on it by then.`,
    ],
  }),
  /** Rewrites everything of a load balancer, including what is in sync. */
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
    inBulk: {
      title: (things) => t`Write all of ${things} again`,
      done: () => t`written again`,
    },
    verb: "balancer.reensure",
    right: () => t`Write all of a load balancer again`,
    opener: () => t`Write all again…`,
    title: (_action, object) => t`Write the load balancer of ${object} again`,
    button: () => t`Write all again`,
    consequences: () => [t`Its whole load balancer is written again, including what is in sync.`],
  }),
  ...OWNERSHIP_ACTIONS,
] as const;
