import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deleteService, serviceGone } from "../../conformance/service/objects.ts";
import type { Flags } from "../../harness/controller.ts";
import { same } from "../../harness/wait.ts";
import { leftOf } from "../balancers.ts";
import type { OpenStackEnvironment } from "../environment.ts";
import { LONG_MS } from "../patience.ts";

/** A controller whose `[LoadBalancer]` has these lines as well, for as long as the work takes. */
export async function withOptions(
  env: OpenStackEnvironment,
  lines: string,
  work: () => Promise<void>,
): Promise<void> {
  const path = join(env.dir, "cloud-with-options.conf");
  writeFileSync(path, `${readFileSync(env.cloudConfig, "utf8")}\n[LoadBalancer]\n${lines}\n`, {
    mode: 0o600,
  });
  const flags: Flags = { "--cloud-config": path, "--load-balancer-drift-period": "10s" };
  await env.restart(flags);
  try {
    await work();
  } finally {
    await env.restart();
  }
}

/** With nothing left of any load balancer. */
export async function removed(env: OpenStackEnvironment, name: string): Promise<void> {
  await gone(env, name);
  same(await leftOf(env), [], "what is left");
}

/** The Service, and what the cluster has of its load balancer. */
export async function gone(env: OpenStackEnvironment, name: string): Promise<void> {
  await deleteService(env, name);
  await serviceGone(env, name, LONG_MS);
}
