import { controllerOf } from "@cloudwright/core/model/controller-names";
import { objectKind } from "@cloudwright/core/model/kinds/kinds";
import type { StoredParts } from "@cloudwright/core/model/kinds/known-object";
import { nodeKind } from "@cloudwright/core/model/kinds/node";
import { t } from "@cloudwright/core/model/language/text";
import { objectRefOf } from "@cloudwright/core/model/object-ref";
import type { Reason } from "@cloudwright/core/model/reason";
import { loadBalancerDetailSchema } from "@cloudwright/core/model/records/load-balancer-record";
import { advice, cause, sentence } from "@cloudwright/core/model/sentence";
import { STATES } from "@cloudwright/core/model/state";
import { boundedText } from "@cloudwright/core/model/values/bounded-text";
import type { Database } from "../database/database.ts";
import { isOperationError } from "../operations/errors.ts";
import { runDetail } from "../queries/runs/runs.ts";
import { objectByName } from "../sql/object-rows.ts";
import type { RunDetail } from "../views/views.ts";
import { recentOf } from "./recent.ts";
import { planOf } from "./run-part.ts";
import type { IncidentAbout, IncidentSnapshot } from "./snapshot-schema.ts";

/** What differs between incidents about different things. */
export type SnapshotPart = Omit<
  IncidentSnapshot,
  "version" | "takenAt" | "cluster" | "controller" | "about"
>;

export interface PartInput<About> {
  readonly cluster: string;
  readonly about: About;
  readonly now: number;
}

const TEXT_MOST = 2_000;
const DIFFERENCES_MOST = 50;

/** An object with what each controller said of it and the plan and calls of its last run. Throws OperationError NotFound. */
export async function objectPart(
  db: Database,
  { cluster, about: { of, name }, now }: PartInput<IncidentAbout & { readonly kind: "object" }>,
): Promise<SnapshotPart> {
  const known = await objectByName(db, objectKind(of), {
    cluster,
    name,
    notFound: () => t`No controller has reported on ${of} ${name} here.`,
  });
  const { row, parts, createdAt, goneAt, detail } = known;
  const object = objectRefOf({ kind: of, name });
  const [lastRun, recent, node] = await Promise.all([
    runIfKept(db, { cluster, id: row.lastRun.id }),
    recentOf(db, { cluster, object, until: now }),
    of === nodeKind.name ? nodeFacts(db, { cluster, name }) : NO_NODE,
  ]);
  return {
    ...{ object, subject: `${of} ${name}`, state: row.state, since: row.since },
    sentence: sentence({
      ...{ object, state: row.state, reason: row.reason, sinceMs: row.since },
      ...{ nextAtMs: row.nextAt, nowMs: now },
    }).replaceAll("`", ""),
    facts: [
      { label: "Drift", text: DRIFTS[row.drift] },
      ...(row.providerID === undefined ? [] : [{ label: "In the cloud", text: row.providerID }]),
      ...(createdAt === undefined ? [] : [{ label: "Created", at: createdAt }]),
      ...(goneAt === undefined ? [] : [{ label: "Gone", at: goneAt }]),
      { label: "Last reported", at: row.updatedAt },
      ...node.facts,
    ],
    ...{ parts: partsOf(parts), partsLeftOut: 0, timeline: node.timeline },
    differences: differencesOf(detail),
    plan: lastRun === undefined ? undefined : planOf(lastRun),
    ...recent,
  };
}

const DRIFTS = { drifted: "Drifted", notChecked: "Not checked", inStep: "In sync" } as const;

/** A run is removed sooner than the object whose last one it was. */
async function runIfKept(
  db: Database,
  input: { readonly cluster: string; readonly id: string },
): Promise<RunDetail | undefined> {
  try {
    return await runDetail(db, input);
  } catch (error) {
    if (isOperationError(error) && error.code === "NotFound") return undefined;
    throw error;
  }
}

/** Worst first. */
function partsOf(parts: StoredParts): SnapshotPart["parts"] {
  return Object.values(parts)
    .filter((part) => part !== undefined)
    .toSorted((left, right) => STATES.indexOf(left.state) - STATES.indexOf(right.state))
    .map(({ controller, state, reason, since, nextAt, failures, drift }) => ({
      ...{ name: controllerOf(controller).label, state, since, nextAt, failures, drift },
      ...wordsOf(reason),
    }));
}

export function wordsOf(reason: Reason): { readonly cause: string; readonly advice: string } {
  return {
    cause: boundedText(cause(reason), TEXT_MOST),
    advice: boundedText(advice(reason), TEXT_MOST),
  };
}

interface NodeFactsAndTimeline {
  readonly facts: SnapshotPart["facts"];
  readonly timeline: SnapshotPart["timeline"];
}

const NO_NODE: NodeFactsAndTimeline = { facts: [], timeline: [] };

async function nodeFacts(
  db: Database,
  { cluster, name }: { readonly cluster: string; readonly name: string },
): Promise<NodeFactsAndTimeline> {
  const { own } = await objectByName(db, nodeKind, {
    cluster,
    name,
    notFound: () => t`No controller has reported on a node ${name} here.`,
  });
  const { node, zone, instanceType, timeline } = own;
  const taints = node?.taints.map(({ key, effect }) => `${key}:${effect}`) ?? [];
  const known: readonly (readonly [string, string | undefined])[] = [
    ["Ready", node?.ready],
    ["Taints", taints.length === 0 ? "none" : taints.join(", ")],
    ["Kubelet", node?.kubeletVersion],
    ["Zone", zone],
    ["Type", instanceType],
  ];
  return {
    facts: known.flatMap(([label, text]) =>
      text === undefined ? [] : [{ label, text: boundedText(text, TEXT_MOST) }],
    ),
    timeline: (timeline ?? []).map(({ step, state, tries, startedAt, endedAt, reason }) => ({
      ...{ step, state, tries, startedAt, endedAt },
      cause: reason === undefined ? undefined : wordsOf(reason).cause,
    })),
  };
}

/** Of a load balancer, what is not as it should be. */
function differencesOf(detail: unknown): SnapshotPart["differences"] {
  const aspects = loadBalancerDetailSchema.safeParse(detail).data?.aspects ?? [];
  const bounded = (text: string | undefined) =>
    text === undefined ? undefined : boundedText(text, TEXT_MOST);
  return aspects
    .filter(({ desired, actual }) => desired !== actual)
    .slice(0, DIFFERENCES_MOST)
    .map(({ name, desired, actual }) => ({
      ...{ name: boundedText(name, 300), desired: bounded(desired), actual: bounded(actual) },
    }));
}
