import { pathSegment } from "@cloudwright/core/model/values/path-segment";
import { z } from "zod";
import { type KubeAnswer, type KubeApi, UnexpectedAnswer } from "./kube-api.ts";
import { type Machine, nodeIp } from "./machine.ts";
import {
  conditionsOf,
  LEASE_NAMESPACE,
  leaseObject,
  microTime,
  nodeObject,
  PROVIDED_NODE_IP,
} from "./node-object.ts";
import type { KnownNode, NodeView } from "./node-view.ts";

export interface CallParts {
  readonly api: KubeApi;
  readonly nodes: NodeView;
  readonly kubeletVersion: string;
}

/** Boots the kubelet of a started machine: registers its Node, or takes over the existing one. */
export async function boot(machine: Machine, parts: CallParts): Promise<void> {
  const { api, nodes, kubeletVersion } = parts;
  const body = nodeObject(machine, { now: Date.now(), kubeletVersion });
  const answer = await api.send({ method: "POST", path: NODES, body });
  if (answer.status === 409) {
    await takeOver(machine, parts);
    return;
  }
  nodes.learn(expectDone(answer, NODES));
  const node = nodes.get(machine.name);
  if (node !== undefined) {
    await ensureLease(machine.name, { api, node });
  }
}

/** A restarted kubelet does not taint an existing Node, and leaves its addresses to the cloud controller. */
async function takeOver(machine: Machine, parts: CallParts): Promise<void> {
  const { api, nodes } = parts;
  const path = nodePath(machine.name);
  nodes.learn(expectDone(await api.send({ method: "GET", path }), path));
  const node = nodes.get(machine.name);
  if (node === undefined || node.silenced) {
    return;
  }
  const ip = nodeIp(machine);
  if (ip !== undefined && ip !== node.providedNodeIp) {
    const body = { metadata: { annotations: { [PROVIDED_NODE_IP]: ip } } };
    expectDone(await api.send({ method: "PATCH", path, body, contentType: MERGE }), path);
  }
  await postStatus(machine, { ...parts, node });
  await ensureLease(machine.name, { api, node });
}

/** Posts the conditions of a healthy kubelet, and its machine's capacity. */
export async function postStatus(
  machine: Machine,
  { api, node, kubeletVersion }: CallParts & { readonly node: KnownNode },
): Promise<void> {
  const now = Date.now();
  const { nodeInfo, capacity, allocatable } = nodeObject(machine, { now, kubeletVersion }).status;
  const conditions = conditionsOf(node.conditions, now);
  const path = `${nodePath(machine.name)}/status`;
  const body = { status: { conditions, nodeInfo, capacity, allocatable } };
  expectDone(await api.send({ method: "PATCH", path, body, contentType: STRATEGIC }), path);
}

/** Renews the lease, and creates it again if it was removed. */
export async function renewLease(
  name: string,
  { api, node }: { readonly api: KubeApi; readonly node: KnownNode },
): Promise<void> {
  const body = { spec: { holderIdentity: name, renewTime: microTime(Date.now()) } };
  const path = leasePath(name);
  const answer = await api.send({ method: "PATCH", path, body, contentType: MERGE });
  if (answer.status === 404) {
    await ensureLease(name, { api, node });
    return;
  }
  expectDone(answer, path);
}

/** Takes over a lease that an earlier Node of this name left behind. */
async function ensureLease(
  name: string,
  { api, node }: { readonly api: KubeApi; readonly node: KnownNode },
): Promise<void> {
  const body = leaseObject(name, { nodeUid: node.uid, now: Date.now() });
  const answer = await api.send({ method: "POST", path: LEASES, body });
  if (answer.status !== 409) {
    expectDone(answer, LEASES);
    return;
  }
  const { ownerReferences } = body.metadata;
  const patch = { metadata: { ownerReferences }, spec: body.spec };
  const path = leasePath(name);
  expectDone(await api.send({ method: "PATCH", path, body: patch, contentType: MERGE }), path);
}

const versionSchema = z.object({ gitVersion: z.string() });

/** Returns the version of the cluster, which its kubelets share. */
export async function clusterVersion(api: KubeApi): Promise<string> {
  const answer = await api.send({ method: "GET", path: "/version" });
  return versionSchema.parse(expectDone(answer, "/version")).gitVersion;
}

const NODES = "/api/v1/nodes";
const LEASES = `/apis/coordination.k8s.io/v1/namespaces/${LEASE_NAMESPACE}/leases`;
const MERGE = "application/merge-patch+json";
const STRATEGIC = "application/strategic-merge-patch+json";

function nodePath(name: string): string {
  return `${NODES}/${pathSegment(name)}`;
}

function leasePath(name: string): string {
  return `${LEASES}/${pathSegment(name)}`;
}

function expectDone(answer: KubeAnswer, path: string): unknown {
  if (answer.status >= 300) {
    throw new UnexpectedAnswer(path, answer);
  }
  return answer.body;
}
