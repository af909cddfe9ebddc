import { FINALIZER } from "@cloudwright/core/controllers/service/service-object";
import { loadKubeConfig } from "@cloudwright/core/kube/access/kubeconfig";
import { createKubeClient } from "@cloudwright/core/kube/calls/kube-client";
import {
  type KubeClient,
  LEASES,
  type Lease,
  SERVICES,
  type Service,
} from "@cloudwright/core/kube/client";
import { isKubeError } from "@cloudwright/core/kube/errors";
import { contentOf, holderOf } from "@cloudwright/core/kube/lease/lease-record";
import { sleep } from "@cloudwright/core/kube/sleep";
import { systemClock } from "@cloudwright/core/kube/system-clock";
import type { Clock } from "@cloudwright/core/model/time";
import { type Command, Option } from "commander";
import { PlainError } from "../plain-error.ts";
import { SHADOW_LEASE } from "../process/leading/lead.ts";
import { VERSION } from "../version.ts";
import { keepingAlive } from "./terminal/keep-alive.ts";
import { print } from "./terminal/print.ts";

interface UninstallFlags {
  readonly check: boolean;
  readonly loadBalancers: "refuse" | "keep";
  readonly namespace: string;
  readonly lease: readonly string[];
  readonly kubeconfig?: string;
}

/** `cloudwright uninstall`: runs before and after the controllers are removed; the Helm chart runs both steps. */
export function addUninstallCommand(root: Command): void {
  root
    .command("uninstall")
    .description("remove what the controllers have left in the cluster, once they are gone")
    .option(
      "--check",
      "only check, while they are still running, that no load balancer would be left",
      false,
    )
    .addOption(
      new Option(
        "--load-balancers <what>",
        "what to do about Services that have load balancers: refuse to continue, or keep the load balancers in the cloud",
      )
        .choices(["refuse", "keep"])
        .default("refuse"),
    )
    .option("--namespace <name>", "the namespace of the Lease", "kube-system")
    .option("--lease <name...>", "the Lease; repeatable", ["cloud-controller-manager"])
    .option(
      "--kubeconfig <file>",
      "the cluster; if not given, the one of the pod that this runs in",
    )
    .action(async (flags: UninstallFlags) => {
      const access = await loadKubeConfig({
        clock: systemClock,
        ...(flags.kubeconfig === undefined ? {} : { kubeconfig: flags.kubeconfig }),
      });
      const userAgent = `cloudwright/${VERSION}`;
      const client = createKubeClient({ access, qps: 0, burst: 1, clock: systemClock, userAgent });
      try {
        const run = flags.check ? checkUninstall : finishUninstall;
        const lines = await keepingAlive(() => run(client, flags, systemClock));
        for (const line of lines) await print(`${line}\n`);
      } finally {
        await client.close();
      }
    });
}

type Client = Pick<KubeClient, "get" | "list" | "patch" | "delete">;

/** Returns what will be kept. Throws PlainError while Services have load balancers that nothing would delete. */
export async function checkUninstall(
  client: Client,
  { loadBalancers }: Pick<UninstallFlags, "loadBalancers">,
): Promise<readonly string[]> {
  const served = await servedServices(client);
  if (served.length === 0) return ["No Service has a load balancer."];
  const names = served.map(nameOf).join(", ");
  if (loadBalancers === "keep") {
    return [`The load balancers of ${names} will stay in the cloud as they are.`];
  }
  throw new PlainError(
    `Services still have load balancers, which nothing would delete once the controllers are gone: ${names}. Delete these Services or change their type and try again; or set uninstall.loadBalancers to keep (--load-balancers=keep) to leave their load balancers in the cloud.`,
  );
}

/**
 * Removes our finalizer from Services and deletes Leases that nobody renews; returns what it did and what it kept. Throws
 * KubeError, and PlainError for whatever it had to leave.
 */
export async function finishUninstall(
  client: Client,
  { loadBalancers, namespace, lease: leases }: Omit<UninstallFlags, "check">,
  clock: Clock,
): Promise<readonly string[]> {
  if (loadBalancers === "refuse") await checkUninstall(client, { loadBalancers });
  const services = await servedServices(client);
  for (const service of services) await releaseService(client, service);
  const lines = services.map(
    (service) =>
      `Kept the load balancer of ${nameOf(service)}${addressesOf(service)} in the cloud and removed the Service's finalizer.`,
  );
  for (const name of leases) lines.push(await removeLease(client, { namespace, name }, clock));
  if (!leases.includes(SHADOW_LEASE)) lines.push(...(await removeShadow(client, namespace, clock)));
  return [
    ...lines,
    "Kept: the provider IDs, addresses and labels of nodes, routes in the cloud, the ConfigMap cloudwright-controls with its pauses and the head of the audit chain, and the ledger's database with its volume.",
  ];
}

async function servedServices(client: Client): Promise<readonly Service[]> {
  const { items } = await client.list<Service>({ resource: SERVICES });
  return items.filter(({ metadata }) => metadata?.finalizers?.includes(FINALIZER) === true);
}

function nameOf({ metadata }: Service): string {
  return `${metadata?.namespace}/${metadata?.name}`;
}

function addressesOf({ status }: Service): string {
  const addresses = (status?.loadBalancer?.ingress ?? []).flatMap(
    ({ ip, hostname }) => ip ?? hostname ?? [],
  );
  return addresses.length === 0 ? "" : ` (${addresses.join(", ")})`;
}

/** A Service deleted in the meantime has no finalizer left. */
async function releaseService(client: Client, { metadata }: Service): Promise<void> {
  const { namespace = "", name = "", uid } = metadata ?? {};
  const finalizers = { "$deleteFromPrimitiveList/finalizers": [FINALIZER] };
  await absentOr(
    client.patch(
      { resource: SERVICES, namespace, name, subresource: "status" },
      { kind: "strategic", body: { metadata: { uid, ...finalizers } } },
    ),
  );
}

interface LeaseName {
  readonly namespace: string;
  readonly name: string;
}

/** Milliseconds between two reads of a Lease, and for how long it has to be gone: a replica that is ending may acquire it once more. */
const LOOK_AGAIN_MS = 1_000;
const GONE_MS = 3_000;
const AT_MOST_MS = 90_000;

/** Deletes a Lease. A held Lease is deleted once its holder has not renewed it for the Lease's duration. */
async function removeLease(client: Client, lease: LeaseName, clock: Clock): Promise<string> {
  const shown = `Lease ${lease.namespace}/${lease.name}`;
  const deadline = clock.now() + AT_MOST_MS;
  const unchangedFor = changeMeter(clock);
  let end = { afterMs: 0, report: `There was no ${shown}.` };
  while (clock.now() < deadline) {
    const found = await absentOr(client.get<Lease>({ resource: LEASES, ...lease }));
    const unchangedMs = unchangedFor(found);
    if (isFree(found, unchangedMs)) {
      await deleteLease(client, lease, found);
      end = { afterMs: GONE_MS, report: `Removed the ${shown}.` };
    } else if (found === undefined && unchangedMs >= end.afterMs) return end.report;
    await sleep(clock, LOOK_AGAIN_MS);
  }
  throw new PlainError(
    `The ${shown} is still being renewed, so it was kept: another controller manager runs in this cluster. Stop it, and run this command again.`,
  );
}

/** Deletes the Lease of this installation's dry run, if it had one. A dry run that still renews it keeps it. */
async function removeShadow(
  client: Client,
  namespace: string,
  clock: Clock,
): Promise<readonly string[]> {
  const lease = { namespace, name: SHADOW_LEASE };
  if ((await absentOr(client.get<Lease>({ resource: LEASES, ...lease }))) === undefined) return [];
  try {
    return [await removeLease(client, lease, clock)];
  } catch (error) {
    if (!(error instanceof PlainError)) throw error;
    return [`Kept the Lease ${namespace}/${SHADOW_LEASE}: a dry run renews it.`];
  }
}

/** Returns a function that reports, at each read of a Lease, for how many milliseconds it has not changed. */
function changeMeter(clock: Clock): (lease: Lease | undefined) => number {
  let seen = { content: "", since: clock.now() };
  return (lease) => {
    const content = lease === undefined ? "" : contentOf(lease);
    if (content !== seen.content) seen = { content, since: clock.now() };
    return clock.now() - seen.since;
  };
}

function isFree(lease: Lease | undefined, unchangedMs: number): lease is Lease {
  if (lease === undefined) return false;
  return holderOf(lease) === "" || unchangedMs > (lease.spec?.leaseDurationSeconds ?? 0) * 1_000;
}

/** Deletes the Lease only in the version that was read; a Lease written in the meantime stays. */
async function deleteLease(client: Client, lease: LeaseName, { metadata }: Lease): Promise<void> {
  const { uid, resourceVersion } = metadata ?? {};
  const preconditions = {
    ...(uid === undefined ? {} : { uid }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  };
  await absentOr(client.delete({ resource: LEASES, ...lease }, preconditions), "Conflict");
}

/** Returns undefined if the object does not exist, or if the call fails with the other given error. */
async function absentOr<Result>(
  call: Promise<Result>,
  other?: "Conflict",
): Promise<Result | undefined> {
  try {
    return await call;
  } catch (error) {
    if (isKubeError(error) && (error.code === "NotFound" || error.code === other)) return undefined;
    throw error;
  }
}
