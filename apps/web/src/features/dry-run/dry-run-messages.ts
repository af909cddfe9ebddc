import { changeTitle, stepTitle } from "@cloudwright/core/model/audit/change-messages";
import { titleOf } from "@cloudwright/core/model/audit/change-title";
import { partName } from "@cloudwright/core/model/language/cloud-words";
import { t } from "@cloudwright/core/model/language/text";
import type { TimeLabels } from "@cloudwright/core/model/sentence";
import { capitalise, cause } from "@cloudwright/core/model/sentence";
import type { ShadowPage, ShadowRow } from "@cloudwright/store/views/shadow";
import { formatCount } from "../../components/presentation/format-text.ts";
import { fullName } from "../../components/url/object-address.ts";
import { countOf } from "../../platform/wording/action-title.ts";

/** The sentence that opens the page. */
export function dryRunSentence({ counts, shadow }: Pick<ShadowPage, "counts" | "shadow">): string {
  if (shadow === undefined) return t`No controller has done a dry run in this cluster.`;
  const { all, changes, stopped } = counts;
  if (all === 0) return t`The dry run has not observed anything yet.`;
  const [changing, objects] = [formatCount(changes), countOf(all, "object")];
  return stopped === 0
    ? t`${changing} of ${objects} would be changed.`
    : t`${changing} of ${objects} would be changed; blocked or failed: ${formatCount(stopped)}.`;
}

/** Says in one line what would be done with an object; for an object that is left alone, why. */
export function dryRunLine(row: ShadowRow, time?: TimeLabels): string {
  const { object, changes, notTaken, next } = row;
  if (changes.length > 0) {
    return t`${changes.map((change) => titleBeside(object, change)).join("; ")}.`;
  }
  const [left] = notTaken;
  if (left !== undefined) return t`${stepTitle(left.step)}: not done. ${cause(left.reason, time)}.`;
  return t`${cause(next.reason, time)}.`;
}

type Change = ShadowRow["changes"][number];

/** The title of a change beside its object, without naming the object again. */
export function titleBeside(object: ShadowRow["object"], change: Change): string {
  const isOther =
    change.target.kind !== object.kind || fullName(change.target) !== fullName(object);
  return isOther ? changeTitle(change) : (partTitle(change) ?? wholeTitle(change));
}

/** Words a change of a part of the cloud object. */
function partTitle(change: Change): string | undefined {
  const { kind, what, destination } = titleOf(change);
  if (kind === "route.create" && destination !== undefined) {
    return t`Create the route to ${destination}`;
  }
  return what === undefined ? undefined : PART_TITLES[kind]?.(partName(what));
}

const PART_TITLES: Readonly<Record<string, (what: string) => string>> = {
  "balancer.create": (what) => t`Create ${what}`,
  "balancer.adopt": (what) => t`Adopt ${what}`,
  "balancer.update": (what) => t`Change ${what}`,
  "balancer.delete": (what) => t`Delete ${what}`,
};

/** Uses the step's name; its title if the name is no whole sentence, or the title says more. */
function wholeTitle(change: Change): string {
  const { kind, target: _, ...details } = titleOf(change);
  const step = stepTitle(kind);
  const isWhole = step !== kind && !kind.startsWith("node.override");
  return isWhole && Object.keys(details).length === 0 ? capitalise(step) : changeTitle(change);
}
