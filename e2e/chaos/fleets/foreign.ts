import { randomUUID } from "node:crypto";
import type { Cloud } from "../../harness/cloud.ts";
import {
  allLoadBalancers,
  CLUSTER_TAG,
  type LoadBalancer,
  SERVICE_TAG,
  SERVICE_UID_TAG,
} from "../../harness/load-balancers.ts";
import { demand, eventually, same } from "../../harness/wait.ts";

/** Load balancers that are none of ours: another cluster's for a Service of the same name, and one of nobody. */
export interface Foreign {
  /** Throws when one of them is not what it was. */
  untouched(): Promise<void>;
}

export async function settleForeign(cloud: Cloud, service: string): Promise<Foreign> {
  const listeners = [{ name: "", protocol: "TCP", port: 80, nodePort: 30_080 }];
  const foreign = {
    [CLUSTER_TAG]: randomUUID(),
    [SERVICE_TAG]: `default/${service}`,
    [SERVICE_UID_TAG]: randomUUID(),
  };
  const made: string[] = [];
  for (const tags of [foreign, {}, { team: "payments" }]) {
    const body = { name: `stranger-${made.length}`, listeners, tags };
    made.push((await cloud.v1<LoadBalancer>("POST", "/v1/load-balancers", body)).id);
  }
  const rule = { name: "stranger", tags: foreign, sourceRanges: ["10.0.0.0/8"] };
  await cloud.v1("POST", "/v1/firewall-rules", rule);
  const before = await eventually(async () => {
    const all = await preview(cloud, made);
    demand(!JSON.stringify(all).includes('"provisioning"'), "they are not ready yet");
    return all;
  });
  return {
    untouched: async () => same(await preview(cloud, made), before, "what is none of ours"),
  };
}

async function preview(cloud: Cloud, ids: readonly string[]): Promise<readonly object[]> {
  const loadBalancers = (await allLoadBalancers(cloud)).filter(({ id }) => ids.includes(id));
  const path = "/v1/firewall-rules?limit=500";
  const { items } = await cloud.v1<{ items: { name: string }[] }>("GET", path);
  return [...loadBalancers, ...items.filter(({ name }) => name === "stranger")];
}
