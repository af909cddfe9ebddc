import type { CloudChange, Json } from "@cloudwright/provider-api";
import { z } from "zod";

const bodySchema = z.record(z.string(), z.json());

/** What `apply` needs for one change: one write request, and what is read right before it. */
export const requestSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("createLoadBalancer"),
    name: z.string(),
    clusterUid: z.string(),
    objectUid: z.string(),
    body: bodySchema,
    /** Requested first, and given up if it is in use. */
    preferredAddress: z.string().optional(),
    memberIds: z.record(z.string(), z.string()),
  }),
  z.object({
    kind: z.literal("createFloatingIp"),
    body: bodySchema,
    /** Tried in this order until one has a free address; if empty, the cloud chooses. */
    subnets: z.array(z.string()),
  }),
  z.object({ kind: z.literal("createSecurityGroup"), name: z.string(), body: bodySchema }),
  z.object({
    kind: z.literal("send"),
    service: z.enum(["load-balancer", "network"]),
    method: z.enum(["POST", "PUT", "DELETE"]),
    resource: z.string(),
    path: z.string(),
    query: z.record(z.string(), z.string()).optional(),
    body: bodySchema.optional(),
    /** The revision of the changed object, so that later changes by others are not overwritten. */
    revision: z.number().optional(),
    /** A shared load balancer whose state is checked first, for one Service at a time. */
    shared: z.string().optional(),
    memberIds: z.record(z.string(), z.string()).optional(),
  }),
]);
export type ChangeRequest = z.infer<typeof requestSchema>;
export type SendRequest = Extract<ChangeRequest, { kind: "send" }>;

interface Words {
  readonly action: CloudChange["action"];
  readonly what: string;
  readonly target: string;
  readonly before?: Readonly<Record<string, unknown>>;
  readonly after?: Readonly<Record<string, unknown>>;
}

/** Returns a change as it is recorded, with its request; undefined fields are left out. */
export function changeOf(
  { action, what, target, before, after }: Words,
  request: ChangeRequest,
): CloudChange {
  return {
    action,
    what,
    target,
    before: jsonOf(before),
    after: jsonOf(after),
    request: jsonOf(request),
  };
}

/** Returns JSON without undefined fields; null for undefined. */
export function jsonOf(value: unknown): Json {
  return JSON.parse(JSON.stringify(value ?? null));
}

/** Returns the fields of a request's body. */
export function bodyOf(fields: unknown): z.infer<typeof bodySchema> {
  return bodySchema.parse(jsonOf(fields));
}
