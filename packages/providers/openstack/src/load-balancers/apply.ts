import {
  type CallContext,
  type CloudChange,
  isProviderError,
  ProviderError,
} from "@cloudwright/provider-api";
import { z } from "zod";
import { noAnswer, type OpenStackClient, path } from "../api/client.ts";
import { isAlreadyThere, isNotFound } from "../api/errors.ts";
import { PROVIDER } from "../config/invalid-config.ts";
import { type ChangeRequest, requestSchema, type SendRequest } from "./changes.ts";
import { loadBalancerSchema } from "./observed.ts";
import { hasOwner } from "./ownership.ts";
import { createReads } from "./reads.ts";

/** The changes that wait for their turn on shared load balancers, by id. */
export type Turns = Map<string, Promise<unknown>>;

type RequestOf<Kind extends ChangeRequest["kind"]> = Extract<ChangeRequest, { kind: Kind }>;

/**
 * Makes one change with one write request; a creation first checks whether it has already happened. If Octavia is busy, the
 * result is a Conflict, not a failure; nothing waits here. Throws ProviderError.
 */
export async function applyChange(
  { client, turns }: { readonly client: OpenStackClient; readonly turns: Turns },
  change: CloudChange,
  context: CallContext,
): Promise<undefined> {
  const request = requestSchema.parse(change.request);
  switch (request.kind) {
    case "createLoadBalancer":
      await createLoadBalancer(client, request, context);
      return;
    case "createFloatingIp":
      await createFloatingIp(client, request, context);
      return;
    case "createSecurityGroup":
      await createSecurityGroup(client, request, context);
      return;
    case "send": {
      const call = { client, request, target: change.target, context };
      await (request.shared === undefined ? send(call) : inTurn(turns, request.shared, call));
    }
  }
}

/** Creates a load balancer. One whose answer was lost is found by name and mark, and then not created again. */
async function createLoadBalancer(
  client: OpenStackClient,
  {
    name,
    clusterUid,
    objectUid,
    body,
    preferredAddress,
    memberIds,
  }: RequestOf<"createLoadBalancer">,
  context: CallContext,
): Promise<void> {
  const named = await createReads(client, context).loadBalancers({ name });
  const isOurs = (one: (typeof named)[number]) =>
    one.provisioning_status !== "DELETED" &&
    one.provisioning_status !== "PENDING_DELETE" &&
    hasOwner(one, { clusterUid, objectUid });
  if (named.some(isOurs)) return;
  const post = (loadbalancer: typeof body) =>
    client.request({
      ...{ service: "load-balancer", method: "POST", path: "/loadbalancers" },
      ...{ operation: "loadbalancer_create", target: name, body: { loadbalancer } },
      schema: noAnswer,
      context,
    });
  try {
    if (preferredAddress !== undefined) {
      const isTaken = await wasTaken(() => post({ ...body, vip_address: preferredAddress }));
      if (!isTaken) return;
    }
    await post(body);
  } catch (error) {
    throw explained(error, memberIds);
  }
}

/** Reports whether the address is unavailable because it is in use or not in the subnet. */
async function wasTaken(post: () => Promise<unknown>): Promise<boolean> {
  try {
    await post();
    return false;
  } catch (error) {
    const isRefused =
      isProviderError(error) && (error.code === "Conflict" || error.code === "Invalid");
    if (!isRefused) throw error;
    return true;
  }
}

/** Tries the subnets in order until one has a free address; a port accepts one floating IP, so none is created twice. */
async function createFloatingIp(
  client: OpenStackClient,
  { body, subnets }: RequestOf<"createFloatingIp">,
  context: CallContext,
): Promise<void> {
  const tries = subnets.length === 0 ? [{}] : subnets.map((subnet) => ({ subnet_id: subnet }));
  for (const [index, subnet] of tries.entries()) {
    try {
      await client.request({
        ...{ service: "network", method: "POST", path: "/floatingips" },
        ...{ operation: "floating_ip_create", target: String(body.port_id) },
        body: { floatingip: { ...body, ...subnet } },
        ...{ schema: noAnswer, context },
      });
      return;
    } catch (error) {
      const isFull = isProviderError(error) && error.call.body?.reason === "addresses";
      if (!isFull || index === tries.length - 1) throw error;
    }
  }
}

async function createSecurityGroup(
  client: OpenStackClient,
  { name, body }: RequestOf<"createSecurityGroup">,
  context: CallContext,
): Promise<void> {
  if ((await createReads(client, context).securityGroups({ name: [name] })).length > 0) return;
  await client.request({
    ...{ service: "network", method: "POST", path: "/security-groups" },
    ...{ operation: "security_group_create", target: name },
    body: { security_group: body },
    ...{ schema: noAnswer, context },
  });
}

interface Call {
  readonly client: OpenStackClient;
  readonly request: SendRequest;
  readonly target: string;
  readonly context: CallContext;
}

/** Treats a deletion of something missing, and a creation of something existing, as done. */
async function send(call: Call): Promise<void> {
  const { client, request, target, context } = call;
  const { service, method, resource, path: below, query = {}, body, revision } = request;
  const headers = revision === undefined ? {} : { "if-match": `revision_number=${revision}` };
  try {
    await client.request({
      ...{ service, method, path: `/${below}`, operation: `${resource}_${VERBS[method]}`, target },
      ...{ query, body, headers, schema: noAnswer, context },
    });
  } catch (error) {
    if (!isDone(request, error)) throw explained(error, request.memberIds ?? {});
  }
}

function isDone({ method, resource }: SendRequest, error: unknown): boolean {
  if (method === "DELETE") return isNotFound(error);
  return resource === "security_group_rule" && isAlreadyThere(error);
}

const VERBS = { POST: "create", PUT: "update", DELETE: "delete" } as const;

/**
 * Makes changes to a shared load balancer one after the other. While Octavia is busy with it, a change would be refused, so it
 * fails with a Conflict and is retried later, without waiting in this call.
 */
async function inTurn(turns: Turns, id: string, call: Call): Promise<void> {
  const before = turns.get(id) ?? Promise.resolve();
  const own = before.then(
    () => sendWhenActive(id, call),
    () => sendWhenActive(id, call),
  );
  turns.set(id, own);
  try {
    await own;
  } finally {
    if (turns.get(id) === own) turns.delete(id);
  }
}

async function sendWhenActive(id: string, call: Call): Promise<void> {
  const { client, context } = call;
  context.signal.throwIfAborted();
  const { value } = await client.request({
    ...{ service: "load-balancer", path: path`/loadbalancers/${id}` },
    ...{ operation: "loadbalancer_get", target: id, context },
    schema: z.object({ loadbalancer: loadBalancerSchema }),
  });
  const { provisioning_status: state } = value.loadbalancer;
  if (!state.startsWith("PENDING_")) return send(call);
  throw new ProviderError(
    "Conflict",
    `${id} is ${state}: another Service's change is in progress.`,
    {
      ...{ provider: PROVIDER, operation: "loadbalancer_get", target: id },
      body: { reason: "busy" },
    },
  );
}

/** Adds to a refusal the node that it is about, if it names the node's address. */
function explained(error: unknown, memberIds: Readonly<Record<string, string>>): unknown {
  if (!isProviderError(error) || error.code !== "Invalid") return error;
  const words = new Set(
    error.message.split(/[^\da-fA-F.:]+/).map((word) => word.replace(/[.:]$/, "")),
  );
  const [, member] = Object.entries(memberIds).find(([address]) => words.has(address)) ?? [];
  if (member === undefined) return error;
  return new ProviderError(error.code, error.message, {
    ...error.call,
    member,
    cause: error.cause,
  });
}
