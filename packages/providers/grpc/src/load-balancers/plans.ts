import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  CloudChange,
  Json,
  LoadBalancerCandidate,
  LoadBalancerNext,
  LoadBalancerPlan,
} from "@cloudwright/provider-api";
import {
  type LoadBalancerCandidate as CandidateMessage,
  type LoadBalancerChange as ChangeMessage,
  LoadBalancerAction,
  type LoadBalancerChangeSchema,
  type LoadBalancerNext as NextMessage,
  type LoadBalancerPlan as PlanMessage,
} from "../generated/cloudwright/provider/v1/provider_pb.js";
import { factsOf, statusOf } from "./answers.ts";

/** Reads a plan of the process; undefined if this release does not know its next step. */
export function planOf(message: PlanMessage): LoadBalancerPlan | undefined {
  const next = message.next === undefined ? undefined : nextOf(message.next);
  const changes = message.changes.map(changeOf);
  const known = changes.filter((change) => change !== undefined);
  if (next === undefined || known.length < changes.length) return undefined;
  const { status, actual, aspects, members, candidates, notices, annotations } = message;
  return {
    changes: known,
    next,
    status: status === undefined ? undefined : statusOf(status),
    actual: actual === undefined ? undefined : factsOf(actual),
    aspects: aspects.map(({ name, desired, actual }) => ({
      name,
      ...given("desired", desired),
      ...given("actual", actual),
    })),
    members: Object.fromEntries(
      Object.entries(members).map(([id, { health }]) => [id, given("health", health)]),
    ),
    ...(candidates.length === 0 ? {} : { candidates: candidates.map(candidateOf) }),
    ...(notices.length === 0
      ? {}
      : {
          notices: notices.map(({ warning, reason, message }) => {
            const type = warning ? ("Warning" as const) : ("Normal" as const);
            return { type, reason, message };
          }),
        }),
    ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
  };
}

/** Returns a change as the process receives it back. */
export function changeMessage({
  action,
  what,
  target,
  before,
  after,
  request,
}: CloudChange): MessageInitShape<typeof LoadBalancerChangeSchema> {
  return {
    action: ACTIONS[action],
    ...{ what, target },
    beforeJson: JSON.stringify(before),
    afterJson: JSON.stringify(after),
    requestJson: typeof request === "string" ? request : JSON.stringify(request),
  };
}

/** What `apply` needs is kept as opaque text that only the process reads. */
function changeOf(message: ChangeMessage): CloudChange | undefined {
  const { what, target, beforeJson, afterJson, requestJson } = message;
  const action = NAMES.get(message.action);
  if (action === undefined) return undefined;
  const [before, after] = [jsonOf(beforeJson), jsonOf(afterJson)];
  return { action, what, target, before, after, request: requestJson };
}

function jsonOf(text: string): Json {
  return text === "" ? null : JSON.parse(text);
}

function nextOf({ kind }: NextMessage): LoadBalancerNext | undefined {
  switch (kind.case) {
    case "settled":
    case "elsewhere":
      return { kind: kind.case };
    case "inProgress":
      return { kind: "inProgress", dueMs: kind.value.dueMs, what: kind.value.what };
    case "foreign":
      return { kind: "foreign", id: kind.value.id, owner: kind.value.owner };
    case "unowned": {
      const { id, name, others } = kind.value;
      return { kind: "unowned", id, name, ...(others.length === 0 ? {} : { others }) };
    }
    case "unsupported":
      return { kind: "unsupported", field: kind.value.field, problem: kind.value.problem };
    case "broken":
      return { kind: "broken", id: kind.value.id, message: kind.value.message };
    default:
      return undefined;
  }
}

function candidateOf(message: CandidateMessage): LoadBalancerCandidate {
  const { id, name, addresses, owner, ownerIsOfThisCluster } = message;
  if (owner === undefined) return { id, name, addresses };
  return { id, name, addresses, ownedBy: { owner, isOfThisCluster: ownerIsOfThisCluster } };
}

function given<Name extends string>(name: Name, value: string | undefined) {
  return value === undefined ? {} : ({ [name]: value } as Record<Name, string>);
}

const ACTIONS: Readonly<Record<CloudChange["action"], LoadBalancerAction>> = {
  create: LoadBalancerAction.CREATE,
  adopt: LoadBalancerAction.ADOPT,
  update: LoadBalancerAction.UPDATE,
  members: LoadBalancerAction.MEMBERS,
  delete: LoadBalancerAction.DELETE,
};

const NAMES: ReadonlyMap<LoadBalancerAction, CloudChange["action"]> = new Map([
  [LoadBalancerAction.CREATE, "create"],
  [LoadBalancerAction.ADOPT, "adopt"],
  [LoadBalancerAction.UPDATE, "update"],
  [LoadBalancerAction.MEMBERS, "members"],
  [LoadBalancerAction.DELETE, "delete"],
]);
