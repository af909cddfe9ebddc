import { FINALIZER } from "@cloudwright/core/controllers/service/service-object";
import type { KubeObject, Lease, Patch, Service, Target } from "@cloudwright/core/kube/client";
import { KubeError } from "@cloudwright/core/kube/errors";
import type { Clock } from "@cloudwright/core/model/time";
import { expect, it } from "vitest";
import { checkUninstall, finishUninstall } from "./uninstall.ts";

const OPTIONS = { namespace: "kube-system", lease: ["cloud-controller-manager"] } as const;
const KEEP = { ...OPTIONS, loadBalancers: "keep" } as const;
const REFUSE = { ...OPTIONS, loadBalancers: "refuse" } as const;
const SERVED: Service = {
  metadata: { namespace: "shop", name: "web", uid: "u", finalizers: [FINALIZER] },
  status: { loadBalancer: { ingress: [{ ip: "192.0.2.1" }] } },
};
const PLAIN: Service = { metadata: { namespace: "shop", name: "db" } };

it("refuses to leave load balancers that nothing would delete, and names their Services", async () => {
  const { client } = cluster({ services: [SERVED, PLAIN] });
  await expect(checkUninstall(client, REFUSE)).rejects.toThrow(
    /^Services still have load balancers.*: shop\/web\. Delete these Services/,
  );
  await expect(finishUninstall(client, REFUSE, clock())).rejects.toThrow(/shop\/web/);
});

it("continues if no Service has a load balancer, or if the load balancers are to stay", async () => {
  const nothing = cluster({ services: [PLAIN] });
  expect(await checkUninstall(nothing.client, REFUSE)).toEqual(["No Service has a load balancer."]);
  const served = cluster({ services: [SERVED] });
  expect(await checkUninstall(served.client, KEEP)).toEqual([
    "The load balancers of shop/web will stay in the cloud as they are.",
  ]);
});

it("removes the finalizer of Services whose load balancers stay, and prints where those are", async () => {
  const { client, patches } = cluster({ services: [SERVED, PLAIN] });
  const [said] = await finishUninstall(client, KEEP, clock());
  expect(said).toContain("Kept the load balancer of shop/web (192.0.2.1) in the cloud");
  expect(patches).toEqual([
    {
      target: expect.objectContaining({ namespace: "shop", name: "web", subresource: "status" }),
      body: { metadata: { uid: "u", "$deleteFromPrimitiveList/finalizers": [FINALIZER] } },
    },
  ]);
});

it("deletes a released Lease at once", async () => {
  const { client, now } = cluster({ lease: () => lease("") });
  const lines = await finishUninstall(client, REFUSE, now);
  expect(lines[0]).toBe("Removed the Lease kube-system/cloud-controller-manager.");
  expect(now.now()).toBeLessThan(5_000);
});

it("deletes a held Lease once its holder has not renewed it for the Lease's duration", async () => {
  const { client, now, deletedAt } = cluster({ lease: () => lease("dead") });
  await finishUninstall(client, REFUSE, now);
  expect(deletedAt()).toBeGreaterThan(15_000);
});

it("deletes it again if a replica that is ending has acquired it once more", async () => {
  let taken = 0;
  const { client, now } = cluster({
    lease: (deletions) => {
      if (deletions === 0) return lease("");
      taken += deletions === 1 ? 1 : 0;
      return deletions === 1 && taken > 1 ? lease("") : undefined;
    },
  });
  const [line] = await finishUninstall(client, REFUSE, now);
  expect(line).toContain("Removed the Lease");
  expect(taken).toBeGreaterThan(1);
});

it("keeps a Lease that is still being renewed, and says so", async () => {
  const { client, now } = cluster({ lease: (_, at) => lease("upstream", at) });
  await expect(finishUninstall(client, REFUSE, now)).rejects.toThrow(
    /^The Lease kube-system\/cloud-controller-manager is still being renewed, so it was kept/,
  );
});

it("deletes the Lease that a dry run of the same installation has left, and keeps it while a dry run goes on", async () => {
  const left = cluster({ shadow: () => lease("") });
  expect(await finishUninstall(left.client, REFUSE, left.now)).toContain(
    "Removed the Lease kube-system/cloudwright-shadow.",
  );
  const renewed = cluster({ shadow: (_, at) => lease("dry", at) });
  expect(await finishUninstall(renewed.client, REFUSE, renewed.now)).toContain(
    "Kept the Lease kube-system/cloudwright-shadow: a dry run renews it.",
  );
});

it("does not mention a dry run that never took place", async () => {
  const { client, now } = cluster({ lease: () => lease("") });
  const lines = await finishUninstall(client, REFUSE, now);
  expect(lines.filter((line) => line.includes("shadow"))).toEqual([]);
});

function lease(holder: string, renewed = 0): Lease {
  const renewTime = new Date(renewed).toISOString();
  return {
    metadata: { uid: "l", resourceVersion: "1" },
    spec: { holderIdentity: holder, leaseDurationSeconds: 15, renewTime },
  };
}

interface Contents {
  readonly services?: readonly Service[];
  /** The Lease after that many deletions, at that time. */
  readonly lease?: LeaseAt;
  /** The same for the Lease of dry runs. */
  readonly shadow?: LeaseAt;
}

type LeaseAt = (deletions: number, at: number) => Lease | undefined;

function cluster({ services = [], lease: leaseAt, shadow }: Contents) {
  const now = clock();
  const patches: object[] = [];
  const deletions: number[] = [];
  const current = (name: string | undefined) => {
    const found = name === "cloudwright-shadow" ? shadow : leaseAt;
    // A deleted Lease stays deleted unless the test says otherwise.
    return deletions.length > 0 && found?.length === 0
      ? undefined
      : found?.(deletions.length, now.now());
  };
  const client = {
    list: async () => ({ items: services, metadata: { resourceVersion: "1" } }) as never,
    get: async <T extends KubeObject>({ name }: Target) => {
      const found = current(name);
      if (found === undefined) throw notFound();
      return found as unknown as T;
    },
    patch: async <T extends KubeObject>(target: Target, { body }: Patch) => {
      patches.push({ target, body });
      return {} as T;
    },
    delete: async () => {
      deletions.push(now.now());
    },
  };
  return { client, now, patches, deletedAt: () => deletions[0] ?? -1 };
}

function notFound(): KubeError {
  return new KubeError("NotFound", "not found", { verb: "get", resource: "leases", name: "x" });
}

/** Waiting only moves this clock. */
function clock(): Clock {
  let at = 0;
  return {
    now: () => at,
    monotonic: () => at,
    after: (delayMs, callback) => {
      at += delayMs;
      queueMicrotask(callback);
      return () => undefined;
    },
  };
}
