import {
  type CallContext,
  type CallRef,
  type CloudChange,
  isProviderError,
  ProviderError,
} from "@cloudwright/provider-api";
import { pathSegment } from "@cloudwright/provider-api/http";
import { orNone, remove } from "./calls.ts";
import type { CloudClient, CloudWrite, Read } from "./cloud-client.ts";
import { PROVIDER } from "./config.ts";
import {
  createLoadBalancerReads,
  firewallRuleSchema,
  isRestricted,
  type LoadBalancer,
  loadBalancerSchema,
  type ObservedLoadBalancer,
} from "./load-balancer.ts";
import { type ChangeRequest, requestSchema } from "./load-balancer-changes.ts";
import { memberIdOf } from "./provider-id.ts";

/** Makes one change; returns the state after it, if the cloud's answer contains all of it. Throws ProviderError. */
export async function applyLoadBalancerChange(
  client: CloudClient,
  change: CloudChange,
  context: CallContext,
): Promise<ObservedLoadBalancer | undefined> {
  const request = requestSchema.parse(change.request);
  switch (request.kind) {
    case "createBalancer": {
      const made = await create(client, request, context);
      return snapshotAfter(request.observed, made);
    }
    case "changeBalancer": {
      const changed = await edit(client, request, context);
      return snapshotAfter(request.observed, changed);
    }
    case "deleteBalancer":
      await remove(client, { path: "/v1/load-balancers", id: request.id }, context);
      return undefined;
    case "createRule":
      await client.write(context, {
        ...POST,
        operation: "POST /v1/firewall-rules",
        target: change.target,
        path: "/v1/firewall-rules",
        body: request.body,
        shape: firewallRuleSchema,
      });
      return undefined;
    case "deleteRule":
      await remove(client, { path: "/v1/firewall-rules", id: request.id }, context);
      return undefined;
  }
}

const POST = { method: "POST" } as const;

type RequestOf<Kind extends ChangeRequest["kind"]> = Extract<ChangeRequest, { kind: Kind }>;

/** Rules that were not observed may exist once the load balancer is restricted. */
function snapshotAfter(
  before: ObservedLoadBalancer | undefined,
  changed: LoadBalancer,
): ObservedLoadBalancer | undefined {
  if (before === undefined) return undefined;
  if (before.rules === undefined && isRestricted(changed)) return undefined;
  const others = before.balancers.filter(({ id }) => id !== changed.id);
  const candidates = before.candidates.filter(({ id }) => id !== changed.id);
  return { ...before, balancers: [...others, changed], candidates };
}

/** The maximum number of load balancers that one Service can create and lose within the hour for which the cloud remembers keys. */
const MOST_KEYS = 20;

/**
 * After a lost answer, only the key prevents a second creation: the cloud answers with the load balancer first created with it.
 * If that has been deleted meanwhile, another key is needed.
 */
async function create(
  client: CloudClient,
  { name, keyPrefix, ...options }: RequestOf<"createBalancer">,
  context: CallContext,
): Promise<LoadBalancer> {
  for (let number = 0; number < MOST_KEYS; number++) {
    const call = {
      ...POST,
      operation: "POST /v1/load-balancers",
      target: name,
      path: "/v1/load-balancers",
      headers: { "idempotency-key": `${keyPrefix}/${number}` },
    };
    const { value, status } = await writeLoadBalancer(client, { call, ...options }, context);
    if (status === CREATED) return value;
    const there = await orNone(() => createLoadBalancerReads(client).balancer(value.id, context));
    if (there !== undefined) return there;
  }
  throw new ProviderError(
    "Conflict",
    `${MOST_KEYS} load balancers named ${name} were created and removed within an hour; wait an hour, and find out who removes them`,
    { provider: PROVIDER, operation: "POST /v1/load-balancers", target: name },
  );
}

const CREATED = 201;

async function edit(
  client: CloudClient,
  { id, ...options }: RequestOf<"changeBalancer">,
  context: CallContext,
): Promise<LoadBalancer> {
  const call = {
    method: "PATCH",
    operation: "PATCH /v1/load-balancers/{id}",
    target: id,
    path: `/v1/load-balancers/${pathSegment(id)}`,
  } as const;
  const { value } = await writeLoadBalancer(client, { call, ...options }, context);
  return value;
}

interface LoadBalancerWrite {
  readonly call: Omit<CloudWrite<typeof loadBalancerSchema>, "shape" | "body">;
  readonly body: ChangeBody;
  /** Provider IDs. */
  readonly members?: readonly string[] | undefined;
  readonly requestedAddress?: string | undefined;
}

type ChangeBody = RequestOf<"createBalancer">["body"];

async function writeLoadBalancer(
  client: CloudClient,
  { call, body, members, requestedAddress }: LoadBalancerWrite,
  context: CallContext,
): Promise<Read<LoadBalancer>> {
  const ids = members?.map((providerID) => idOf(call, providerID));
  try {
    return await client.write(context, {
      ...call,
      body: ids === undefined ? body : { ...body, members: ids },
      shape: loadBalancerSchema,
    });
  } catch (error) {
    throw isProviderError(error) ? explained(error, { members, requestedAddress }) : error;
  }
}

function idOf({ operation, target }: LoadBalancerWrite["call"], providerID: string): string {
  const id = memberIdOf(providerID);
  if (id !== undefined) return id;
  throw new ProviderError("Invalid", `${providerID} names no instance of this cloud`, {
    provider: PROVIDER,
    operation,
    target,
    member: providerID,
  });
}

/** Explains a refusal in our terms: which node, or the address that the Service asks for. */
function explained(
  error: ProviderError,
  { members, requestedAddress }: Pick<LoadBalancerWrite, "members" | "requestedAddress">,
): ProviderError {
  const index = MEMBER_FIELD.exec(error.call.field ?? "")?.[1];
  const member = index === undefined ? undefined : members?.[Number(index)];
  if (member !== undefined) return invalid(error, { member });
  const isAboutAddress = requestedAddress !== undefined && error.message.includes(requestedAddress);
  if (error.code !== "Conflict" || !isAboutAddress) return error;
  return invalid(error, { field: "loadBalancerIP" });
}

const MEMBER_FIELD = /^members\.(\d+)$/;

function invalid({ message, call, cause }: ProviderError, more: Partial<CallRef>): ProviderError {
  return new ProviderError("Invalid", message, { ...call, ...more, cause });
}
