import { randomBytes, randomUUID } from "node:crypto";
import { join } from "node:path";
import { stringify } from "yaml";
import { Cloud, type CloudReady } from "../../harness/cloud.ts";
import type { LoadBalancer } from "../../harness/load-balancers.ts";
import { cloudwrightServing } from "../../harness/processes.ts";
import { demand, same } from "../../harness/wait.ts";
import type { LabStatus } from "../lab.ts";
import type { CloudOptions, CloudValues, ClusterCloud, PrepareCloud } from "./cloud.ts";

export const sandbox: PrepareCloud = async () => ({
  ...{ route: "198.19.0.0/16", open: openSandbox, close: async () => undefined },
});

async function openSandbox({ status, dir }: CloudOptions): Promise<ClusterCloud> {
  const token = randomBytes(16).toString("hex");
  const listen = ["--listen", `${status.gateway}:0`];
  const started = await cloudwrightServing<CloudReady>(
    ["sandbox", "cloud", ...listen, "--state", join(dir, "cloud"), "--token", token],
    { log: join(dir, "cloud.log") },
  );
  const cloud = new Cloud(started.ready);
  await createMachines(cloud, status);
  const idOf = async (name: string) => (await cloud.named(name)).id;
  return {
    values: valuesOf(started.ready),
    demandFacts: async ({ metadata, spec }) => {
      const id = await idOf(metadata.name);
      same(spec.providerID, `sandbox://${id}`, `the provider ID of ${metadata.name}`);
    },
    demandLoadBalancer: async (address, nodes) => {
      const found = (await allLoadBalancers(cloud)).find((each) => each.address === address);
      demand(found !== undefined, `the cloud has no load balancer with the address ${address}`);
      const members = await Promise.all(nodes.map(idOf));
      same([...found.members].sort(), members.sort(), `the members of ${found.name}`);
    },
    loadBalancers: async () => (await allLoadBalancers(cloud)).map(({ name }) => name),
    stop: async (name) => {
      await cloud.stop(await idOf(name));
    },
    remove: async (name) => {
      await cloud.remove(await idOf(name));
    },
    close: async () => {
      await cloud.close();
      await started.stop();
    },
  };
}

/** As any client lists them: `/admin` answers nobody who comes by another address than loopback's. */
async function allLoadBalancers(cloud: Cloud): Promise<readonly LoadBalancer[]> {
  return (await cloud.v1<{ items: LoadBalancer[] }>("GET", "/v1/load-balancers")).items;
}

async function createMachines(cloud: Cloud, { nodes }: LabStatus): Promise<void> {
  for (const { name, ip } of nodes) {
    const addresses = [
      { type: "InternalIP", address: ip },
      { type: "Hostname", address: name },
    ];
    await cloud.put({ name, addresses });
  }
}

function valuesOf({ endpoint, token }: CloudReady): CloudValues {
  const config = stringify({ endpoint, token, clusterId: randomUUID() });
  return {
    cloud: { provider: "sandbox", key: "cloud.yaml", config },
    flags: { "configure-cloud-routes": false },
  };
}
