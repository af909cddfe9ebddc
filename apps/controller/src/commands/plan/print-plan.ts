import { changeTitle } from "@cloudwright/core/model/audit/change-messages";
import type { ControllerName } from "@cloudwright/core/model/controller-names";
import { objectName } from "@cloudwright/core/model/object-ref";
import type { ChangeKind } from "@cloudwright/core/model/plan";
import { cause, eventMessage } from "@cloudwright/core/model/sentence";
import { MODULES } from "../../modules.ts";
import { changeLines, NEXT_LABELS, notTakenLine } from "./change-lines.ts";
import type { PlanOutput } from "./plan-options.ts";
import { type PlannedObject, type PlanPreview, VERDICTS, type Verdict } from "./planned-object.ts";

/** The plan as text for reading, or as JSON of the shape that docs/plan.md promises. */
export const PLAN_PRINTERS: Record<PlanOutput, (seen: PlanPreview) => string> = {
  text: planText,
  json: (seen) => `${JSON.stringify(planJson(seen), undefined, 2)}\n`,
};

function planText(seen: PlanPreview): string {
  const reported = seen.objects.filter(({ verdict }) => verdict !== "inStep");
  const head = `Cluster ${seen.cluster} at ${seen.server}, provider ${seen.provider}, ${new Date(seen.atMs).toISOString()}`;
  const parts = [...reported.flatMap(objectLines), ...seen.unseen.flatMap(unseenLines)];
  return [head, "", ...parts, summaryText(seen), ...followUpLines(seen), ""].join("\n");
}

/** Names follow-ups explicitly, since their absence would suggest that nothing else follows. */
function followUpLines(seen: PlanPreview): readonly string[] {
  const whats = followUpsOf(seen).map(({ what, controller }) => `${what} (${controller})`);
  return whats.length === 0
    ? []
    : [
        `Not in this plan, because it only follows from these changes: ${whats.join(", ")}. Plan again once they are made.`,
      ];
}

function unseenLines({ controller, why }: PlanPreview["unseen"][number]): readonly string[] {
  return [`Not everything could be observed (${controller}): ${why}`, ""];
}

function objectLines({ verdict, run }: PlannedObject): readonly string[] {
  const { kind } = run.object;
  return [
    `${kind} ${objectName(run.object)} (${run.controller})`,
    ...run.changes.flatMap(changeLines),
    ...run.notTaken.map(notTakenLine),
    ...(verdict === "change" && run.next.kind === "settled"
      ? []
      : [`  ${NEXT_LABELS[run.next.kind]}: ${eventMessage(run.reason)}`]),
    "",
  ];
}

function summaryText({ objects }: PlanPreview): string {
  const { changes, ...counts } = countsOf(objects);
  const previews = `${counted(objects.length, "observation")}: ${changes === 0 ? "nothing would be changed" : `${counted(changes, "change")} to ${counts.change}`}`;
  const others = VERDICTS.filter((verdict) => verdict !== "change" && counts[verdict] > 0).map(
    (verdict) => `${counts[verdict]} ${VERDICT_LABELS[verdict]}`,
  );
  return `${[previews, ...others].join(", ")}.`;
}

const VERDICT_LABELS: Record<Verdict, string> = {
  change: "would be changed",
  failed: "could not be observed",
  blocked: "blocked",
  waiting: "waiting",
  inStep: "in sync",
};

/** The shape is documented: fields are added, never renamed or removed. */
function planJson(seen: PlanPreview): object {
  return {
    version: 1,
    cluster: seen.cluster,
    server: seen.server,
    provider: seen.provider,
    controllers: seen.controllers,
    at: new Date(seen.atMs).toISOString(),
    summary: { looks: seen.objects.length, ...countsOf(seen.objects) },
    objects: seen.objects.map(objectJson),
    unseen: seen.unseen,
    followUps: followUpsOf(seen),
  };
}

function objectJson({ verdict, run }: PlannedObject): object {
  const { kind, namespace, name, uid } = run.object;
  return {
    controller: run.controller,
    object: { kind, namespace, name, uid },
    verdict,
    code: run.reason.code,
    why: cause(run.reason),
    changes: run.changes.map((change) => ({
      kind: change.kind,
      system: change.system,
      what: changeTitle(change),
      why: cause(change.reason),
      before: change.before,
      after: change.after,
    })),
    notTaken: run.notTaken.map(({ step, reason }) => ({
      step,
      code: reason.code,
      why: cause(reason),
    })),
  };
}

function countsOf(objects: PlanPreview["objects"]): Record<Verdict | "changes", number> {
  const count = (wanted: Verdict) => objects.filter(({ verdict }) => verdict === wanted).length;
  return {
    changes: objects.reduce((sum, { run }) => sum + run.changes.length, 0),
    change: count("change"),
    failed: count("failed"),
    blocked: count("blocked"),
    waiting: count("waiting"),
    inStep: count("inStep"),
  };
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** What a controller would do next, once a change of the plan is made. The plan itself covers only the current state. */
export interface FollowUp {
  readonly after: ChangeKind;
  readonly controller: ControllerName;
  readonly what: string;
}

/** Returns what follows from the plan's changes without being part of it, for the running controllers; each entry once. */
export function followUpsOf({
  objects,
  running,
}: Pick<PlanPreview, "objects" | "running">): readonly FollowUp[] {
  const planned = new Set(objects.flatMap(({ run }) => run.changes.map(({ kind }) => kind)));
  const busy = new Set(objects.map(({ run }) => run.controller));
  return MODULES.filter(
    ({ name, followsItself }) =>
      running.includes(name) && (followsItself !== true || busy.has(name)),
  ).flatMap(({ name: controller, followUps = {} }) =>
    Object.entries(followUps).flatMap(([after, what]) =>
      what !== undefined && planned.has(after) ? [{ after, controller, what }] : [],
    ),
  );
}
