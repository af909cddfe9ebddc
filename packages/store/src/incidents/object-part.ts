import { objectKind } from "@cloudwright/core/model/kinds/kinds";
import type { StoredParts } from "@cloudwright/core/model/kinds/known-object";
import { nodeKind } from "@cloudwright/core/model/kinds/node";
import { t } from "@cloudwright/core/model/language/text";
import { objectRefOf } from "@cloudwright/core/model/object-ref";
import { loadBalancerDetailSchema } from "@cloudwright/core/model/records/load-balancer-record";
import { STATES } from "@cloudwright/core/model/state";
import { boundedText } from "@cloudwright/core/model/values/bounded-text";
import type { Database } from "../database/database.ts";
import { isOperationError } from "../operations/errors.ts";
import { runDetail } from "../queries/runs/runs.ts";
import { objectByName } from "../sql/objects/object-rows.ts";
import type { RunDetail } from "../views/views.ts";
import type { IncidentAbout } from "./frozen-pieces.ts";
import { recentOf } from "./recent.ts";
import { planOf } from "./run-part.ts";
import type { IncidentSnapshot } from "./snapshot-schema.ts";

/** The part of a snapshot that depends on what the incident is about. */
export type SnapshotPart = Omit<
  IncidentSnapshot,
  "version" | "takenAt" | "cluster" | "controller" | "about"
>;

export interface PartInput<About> {
  readonly cluster: string;
  readonly about: About;
  readonly now: number;
}

const DIFFERENCES_MOST = 50;

/** Captures an object with each controller's status, and the plan and calls of its last run. Throws OperationError NotFound. */
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
    ...{ object, subject: { kind: "object", object } },
    ...{ state: row.state, since: row.since, reason: row.reason, nextAt: row.nextAt },
    facts: {
      ...{ drift: row.drift, providerID: row.providerID, createdAt, goneAt },
      ...{ reportedAt: row.updatedAt, ...node.facts },
    },
    ...{ parts: partsOf(parts), partsLeftOut: 0, timeline: node.timeline },
    differences: differencesOf(detail),
    plan: lastRun === undefined ? undefined : planOf(lastRun),
    ...recent,
  };
}

/** A run may be removed before the object whose last run it was. */
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

/** Returns the parts, worst first. */
function partsOf(parts: StoredParts): SnapshotPart["parts"] {
  return Object.values(parts)
    .filter((part) => part !== undefined)
    .toSorted((left, right) => STATES.indexOf(left.state) - STATES.indexOf(right.state))
    .map(({ controller, state, reason, since, nextAt, failures, drift }) => ({
      ...{ name: controller, state, reason, since, nextAt, failures, drift },
    }));
}

interface NodeFactsAndTimeline {
  readonly facts: SnapshotPart["facts"];
  readonly timeline: SnapshotPart["timeline"];
}

const NO_NODE: NodeFactsAndTimeline = { facts: {}, timeline: [] };

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
  return {
    facts: {
      ...{ ready: node?.ready, kubelet: node?.kubeletVersion, zone, instanceType },
      taints: node?.taints.map(({ key, effect }) => `${key}:${effect}`),
    },
    timeline: (timeline ?? []).map(({ step, state, tries, startedAt, endedAt, reason }) => ({
      ...{ step, state, tries, startedAt, endedAt, reason },
    })),
  };
}

/** Returns the aspects of a load balancer that are not as desired. */
function differencesOf(detail: unknown): SnapshotPart["differences"] {
  const aspects = loadBalancerDetailSchema.safeParse(detail).data?.aspects ?? [];
  return aspects
    .filter(({ desired, actual }) => desired !== actual)
    .slice(0, DIFFERENCES_MOST)
    .map(({ name, desired, actual }) => ({
      ...{ name: boundedText(name, 300), desired, actual },
    }));
}
