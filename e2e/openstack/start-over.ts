import { dropService } from "../harness/service.ts";
import { eventually, messageOf, same } from "../harness/wait.ts";
import { balancersOf, floatingIpsOf, leftOf } from "./balancers.ts";
import type { OpenStackEnvironment } from "./environment.ts";
import { LONG_MS } from "./patience.ts";

/** After a row that failed: none of its faults, flags, Services and load balancers is in the way of the next one. */
export async function startOver(env: OpenStackEnvironment): Promise<void> {
  try {
    env.proxy.liftAll();
    await env.kill();
    for (const { metadata, spec } of env.services.all())
      if (spec.type === "LoadBalancer") await dropService(env.kube, metadata.name);
    await eventually(() => clear(env), { withinMs: LONG_MS });
  } catch (error) {
    console.log(`# what the row left is still there: ${messageOf(error)}`);
  }
}

async function clear(env: OpenStackEnvironment): Promise<void> {
  const { loadBalancer, network } = env.project.console;
  for (const { id } of await balancersOf(env))
    await loadBalancer.remove(`/lbaas/loadbalancers/${id}?cascade=true`);
  for (const { id } of await floatingIpsOf(env)) await network.remove(`/floatingips/${id}`);
  same(await leftOf(env), [], "what is left");
}
