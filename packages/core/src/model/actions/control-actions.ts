import { z } from "zod/mini";
import { controllerOf } from "../controller-names.ts";
import { countOf } from "../language/counts.ts";
import { formatDuration } from "../language/duration.ts";
import { t } from "../language/text.ts";
import { DAY_MS, defineAction, HOUR_MS, MINUTE_MS, until } from "./define.ts";

/** How long an admin's release lets the named nodes through the deletion guard. */
export const GUARD_RELEASE_MS = 600_000;

/** Actions on a controller or the deletion guard, which are carried out on the control record. */
export const CONTROL_ACTIONS = [
  defineAction({
    kind: "pause",
    fields: { until },
    role: "admin",
    carriers: "named",
    needsPlan: true,
    group: "pause",
    lengths: {
      longest: 7 * DAY_MS,
      usual: 30 * MINUTE_MS,
      choices: [
        ...[15 * MINUTE_MS, 30 * MINUTE_MS, HOUR_MS, 4 * HOUR_MS, 12 * HOUR_MS],
        ...[DAY_MS, 7 * DAY_MS],
      ],
    },
    verb: "controller.pause",
    right: () => t`Pause a controller`,
    opener: () => t`Pause…`,
    title: (_action, object) => t`Pause ${object}`,
    button: () => t`Pause controller`,
    done: ({ until: end }, { name }, clock) => t`${name} is paused until ${clock(end)}.`,
    calls: () => 0,
    consequences: (action, { changes, clock, waiting }) => [
      waiting === 0
        ? t`It processes nothing until ${clock(action.until)}; what is due waits.`
        : t`It processes nothing until ${clock(action.until)}; what is due waits (${waiting} now).`,
      ...changes.flatMap(({ target }) => controllerOf(target.name).whilePaused ?? []),
      t`It resumes automatically then, or earlier if somebody presses Resume.`,
    ],
  }),
  defineAction({
    kind: "resume",
    fields: {},
    role: "admin",
    carriers: "named",
    // The deletions that waited for the controller are carried out.
    mayTakeTraffic: true,
    group: "pause",
    verb: "controller.resume",
    right: () => t`Resume a paused controller`,
    opener: () => t`Resume`,
    title: (_action, object) => t`Resume ${object}`,
    button: () => t`Resume controller`,
    done: (_action, { name }) => t`${name} is not paused.`,
    calls: () => 0,
    consequences: (_action, { waiting }) => [
      waiting === 0
        ? t`Nothing is waiting for it.`
        : t`It then processes the ${waiting} that are waiting.`,
    ],
  }),
  /** Lets exactly these nodes be deleted beyond the guard's limit. */
  defineAction({
    kind: "release-guard",
    fields: {
      nodes: z.readonly(
        z
          .array(z.readonly(z.object({ name: z.string(), uid: z.string() })))
          .check(z.minLength(1), z.maxLength(10_000)),
      ),
    },
    role: "admin",
    carriers: "declared",
    // Nodes are deleted, and their load balancers' members with them.
    mayTakeTraffic: true,
    needsPlan: true,
    group: "guard",
    isDestructive: true,
    verb: "guard.release",
    right: () => t`Release deletions that the guard holds`,
    opener: () => t`Release…`,
    title: ({ nodes }) => t`Release ${countOf(nodes.length, "held deletion")}`,
    button: ({ nodes }) => t`Release ${countOf(nodes.length, "deletion")}`,
    done: () =>
      t`the named nodes may be deleted within ${formatDuration(GUARD_RELEASE_MS)}, each after one more check of the cloud.`,
    typed: ({ nodes }) => ({ what: t`the number of nodes`, text: String(nodes.length) }),
    problem: ({ nodes }) =>
      new Set(nodes.map(({ uid }) => uid)).size === nodes.length
        ? undefined
        : t`A node is listed twice: list each once.`,
    brief: ({ nodes }) => ({ nodes: nodes.length }),
    // A deletion reads only its own instance.
    calls: ({ nodes }) => nodes.length,
    consequences: () => [
      t`They are deleted from the cluster as soon as the cloud confirms once more that their machines do not exist.`,
      t`Deletions not carried out within ${formatDuration(GUARD_RELEASE_MS)} are held again.`,
      t`A deletion cannot be undone: if the machine is still running, its kubelet has to register again.`,
    ],
  }),
] as const;
