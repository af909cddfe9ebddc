import { USUAL_LENGTH_MS } from "@cloudwright/core/model/wish";
import { countOf, kindWord, thing, wishTitle } from "../wording/action-title.ts";
import { type ActionChoice, wishOf } from "./action-choice.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export interface ActionKind {
  /** What the button that confirms it says. */
  readonly button: string;
  /** Cannot be undone: the focus starts on Cancel and Enter never confirms it. */
  readonly isDestructive: boolean;
  /** How long it may last, milliseconds; absent for what has no end. */
  readonly lengths?: { readonly choices: readonly number[]; readonly usual: number };
  /** Filled in before; elsewhere a reason has to be written. */
  readonly usualReason?: string;
}

/** How each action is asked for (UX brief, section 10). */
export const ACTION_KINDS: Readonly<Record<ActionChoice["kind"], ActionKind>> = {
  retry: {
    button: "Retry node",
    isDestructive: false,
    usualReason: "Looked at from the dashboard",
  },
  hold: {
    button: "Hold node",
    isDestructive: false,
    lengths: {
      choices: [
        ...[15 * MINUTE_MS, 30 * MINUTE_MS, HOUR_MS, 4 * HOUR_MS, 12 * HOUR_MS],
        ...[DAY_MS, 3 * DAY_MS, 7 * DAY_MS],
      ],
      usual: USUAL_LENGTH_MS.hold,
    },
  },
  release: { button: "Release node", isDestructive: false },
  override: {
    button: "Override taint",
    isDestructive: true,
    lengths: {
      choices: [HOUR_MS, 4 * HOUR_MS, 12 * HOUR_MS, DAY_MS, 3 * DAY_MS, 7 * DAY_MS],
      usual: USUAL_LENGTH_MS.override,
    },
  },
  pause: {
    button: "Pause controller",
    isDestructive: false,
    lengths: {
      choices: [
        ...[15 * MINUTE_MS, 30 * MINUTE_MS, HOUR_MS, 4 * HOUR_MS, 12 * HOUR_MS],
        ...[DAY_MS, 7 * DAY_MS],
      ],
      usual: USUAL_LENGTH_MS.pause,
    },
  },
  resume: { button: "Resume controller", isDestructive: false },
  "release-guard": { button: "Release deletions", isDestructive: true },
  reensure: { button: "Write all again", isDestructive: false },
  adopt: { button: "Adopt load balancer", isDestructive: true },
  "remove-orphan": { button: "Remove load balancer", isDestructive: true },
};

export function buttonText({ kind, object, isExtension, nodes = [], route }: ActionChoice): string {
  if (isExtension === true) return `Extend ${kind}`;
  if (kind === "adopt" && route !== undefined) return "Adopt route";
  if (kind === "release-guard") return `Release ${countOf(nodes.length, "deletion")}`;
  return ACTION_KINDS[kind].button.replace(/ node$/, ` ${kindWord(object.kind)}`);
}

/** The dialog's heading: the act and its object. */
export function dialogTitle(choice: ActionChoice): string {
  const { kind, object, isDryRun, isExtension, scope, controller } = choice;
  if (isDryRun === true) return `Dry run of ${thing(object)}`;
  if (isExtension === true) return `Extend the ${kind} of ${thing(object)}`;
  return wishTitle(wishOf(choice, 0), object, scope === "object" ? undefined : controller);
}
