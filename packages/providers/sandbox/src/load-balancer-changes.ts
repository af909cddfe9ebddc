import type { CloudChange, Json, LoadBalancerOwner } from "@cloudwright/provider-api";
import { z } from "zod";
import type { DesiredLoadBalancer, LoadBalancerField } from "./compare-load-balancer.ts";
import {
  type FirewallRule,
  type LoadBalancer,
  type ObservedLoadBalancer,
  observedSchema,
} from "./load-balancer.ts";
import { loadBalancerName, tagsOf } from "./owners.ts";
import { membersChange } from "./provider-id.ts";

const bodySchema = z.record(z.string(), z.json());

/**
 * What `apply` needs for one request to the cloud. `members` are provider IDs. `observed` is the state before it, from which
 * `apply` derives the state afterwards; only the first change of a plan has it.
 */
export const requestSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("createBalancer"),
    name: z.string(),
    keyPrefix: z.string(),
    /** The address that the Service asks for, which is also in the body. */
    requestedAddress: z.string().optional(),
    body: bodySchema,
    members: z.array(z.string()),
    observed: observedSchema.optional(),
  }),
  z.object({
    kind: z.literal("changeBalancer"),
    id: z.string(),
    requestedAddress: z.string().optional(),
    body: bodySchema,
    members: z.array(z.string()).optional(),
    observed: observedSchema.optional(),
  }),
  z.object({ kind: z.literal("deleteBalancer"), id: z.string() }),
  z.object({ kind: z.literal("createRule"), body: bodySchema }),
  z.object({ kind: z.literal("deleteRule"), id: z.string() }),
]);
export type ChangeRequest = z.infer<typeof requestSchema>;

export function createLoadBalancer(
  owner: LoadBalancerOwner,
  desired: DesiredLoadBalancer,
): CloudChange {
  const { members, requestedAddress, ...fields } = desired;
  const body = {
    name: loadBalancerName(owner),
    tags: tagsOf(owner),
    ...fields,
    ...(requestedAddress === undefined ? {} : { requestedAddress }),
  };
  return {
    action: "create",
    what: "load balancer",
    target: body.name,
    before: null,
    after: { ...fieldsOf(body), members: membersChange([], members) },
    request: requestOf({
      kind: "createBalancer",
      name: body.name,
      keyPrefix: `${owner.clusterUid}/${owner.objectUid}`,
      requestedAddress,
      body: fieldsOf(body),
      members: [...members],
    }),
  };
}

export interface LoadBalancerEdit {
  readonly fields: readonly LoadBalancerField[];
  readonly tags?: Readonly<Record<string, string>>;
  /** Whether it carried no owner's mark. */
  readonly isAdoption?: boolean;
}

/** Gives its owner's mark to a load balancer without one, and changes nothing else. */
export function tagLoadBalancer(
  loadBalancer: LoadBalancer,
  tags: Readonly<Record<string, string>>,
): CloudChange {
  return {
    action: "adopt",
    what: "load balancer",
    target: loadBalancer.id,
    before: { tags: loadBalancer.tags },
    after: { tags },
    request: requestOf({ kind: "changeBalancer", id: loadBalancer.id, body: fieldsOf({ tags }) }),
  };
}

/** Writes these fields of an existing load balancer, all in one request. */
export function changeLoadBalancer(
  loadBalancer: LoadBalancer,
  desired: DesiredLoadBalancer,
  { fields, tags, isAdoption = false }: LoadBalancerEdit,
): CloudChange {
  const after = { ...valuesOf(desired, fields), ...(tags === undefined ? {} : { tags }) };
  const before = {
    ...valuesOf(loadBalancer, fields),
    ...(tags === undefined ? {} : { tags: loadBalancer.tags }),
  };
  const hasMembers = fields.includes("members");
  const members = hasMembers ? membersChange(loadBalancer.members, desired.members) : undefined;
  const isOnlyMembers = hasMembers && fields.length === 1 && tags === undefined;
  return {
    action: isAdoption ? "adopt" : isOnlyMembers ? "members" : "update",
    what: "load balancer",
    target: loadBalancer.id,
    before: {
      ...before,
      ...(members === undefined ? {} : { members: { count: loadBalancer.members.length } }),
    },
    after: { ...after, ...(members === undefined ? {} : { members }) },
    request: requestOf({
      kind: "changeBalancer",
      id: loadBalancer.id,
      requestedAddress: desired.requestedAddress,
      body: fieldsOf(after),
      ...(hasMembers ? { members: [...desired.members] } : {}),
    }),
  };
}

export function deleteLoadBalancer({ id, name, address, hostname }: LoadBalancer): CloudChange {
  return {
    action: "delete",
    what: "load balancer",
    target: id,
    before: { name, address: hostname ?? address },
    after: null,
    request: requestOf({ kind: "deleteBalancer", id }),
  };
}

export function createRule(owner: LoadBalancerOwner, sourceRanges: readonly string[]): CloudChange {
  const name = loadBalancerName(owner);
  const body = { name, loadBalancerName: name, tags: tagsOf(owner), sourceRanges };
  return {
    action: "create",
    what: "firewall rule",
    target: name,
    before: null,
    after: fieldsOf(body),
    request: requestOf({ kind: "createRule", body: fieldsOf(body) }),
  };
}

export function deleteRule({ id, sourceRanges }: FirewallRule): CloudChange {
  return {
    action: "delete",
    what: "firewall rule",
    target: id,
    before: { sourceRanges },
    after: null,
    request: requestOf({ kind: "deleteRule", id }),
  };
}

/** Only the first change can derive the state after it from what was observed: the others need another observation. */
export function withSnapshot(
  changes: readonly CloudChange[],
  observed: ObservedLoadBalancer,
): readonly CloudChange[] {
  return changes.map((change, index) => {
    const request = requestSchema.parse(change.request);
    const isReported = request.kind === "createBalancer" || request.kind === "changeBalancer";
    if (index > 0 || !isReported) return change;
    return { ...change, request: requestOf({ ...request, observed: { ...observed } }) };
  });
}

/** Returns the values of these fields; null stands for an absent one. */
function valuesOf(
  from: DesiredLoadBalancer | LoadBalancer,
  fields: readonly LoadBalancerField[],
): Record<string, unknown> {
  const written = fields.filter((field) => field !== "members");
  return Object.fromEntries(written.map((field) => [field, from[field] ?? null]));
}

/** Types a value that is already JSON. */
function fieldsOf(body: Record<string, unknown>): z.infer<typeof bodySchema> {
  return bodySchema.parse(body);
}

function requestOf(request: ChangeRequest): Json {
  return JSON.parse(JSON.stringify(request));
}
