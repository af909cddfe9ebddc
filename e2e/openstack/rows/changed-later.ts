import { readFileSync, writeFileSync } from "node:fs";
import {
  annotate,
  createService,
  ingressOf,
  served,
  untilService,
} from "../../conformance/service/objects.ts";
import { metrics } from "../../harness/controller.ts";
import { demand, eventually, same } from "../../harness/wait.ts";
import {
  type Balancer,
  balancerOf,
  balancersOf,
  floatingIpsOf,
  leftOf,
  untilBalancer,
} from "../balancers.ts";
import { Console } from "../console.ts";
import { type OpenStackEnvironment, type Row, row } from "../environment.ts";
import { LONG_MS } from "../patience.ts";
import { twoMembers } from "./services.ts";
import { gone, removed, withOptions } from "./with-options.ts";

/** What becomes of a load balancer that does not stay as it was made. */
export const changedLaterRows: readonly Row[] = [
  row(
    "O-O-05",
    "a changed --cluster-name renames the load balancer and all below it, which stays as it is",
    async (env) => {
      await twoMembers(env);
      const name = "o-o-named";
      const renamed = `kube_service_renamed_default_${name}`;
      await createService(env, name);
      await served(env, name, LONG_MS);
      const { id, listeners } = await untilBalancer(env, name, () => undefined);
      await env.restart({ "--cluster-name": "renamed" });
      await eventually(
        async () => {
          const one = (await balancersOf(env)).find((each) => each.id === id);
          same(one?.name, renamed, "its name");
          same(
            one?.listeners.map((each) => [each.id, each.name]),
            [[listeners[0]?.id, `listener_0_${renamed}`]],
            "its listeners",
          );
        },
        { withinMs: LONG_MS },
      );
      same((await balancersOf(env)).length, 1, "load balancers");
      await gone(env, name);
      await eventually(async () => same(await leftOf(env), [], "what is left"), {
        withinMs: LONG_MS,
      });
      await env.restart();
    },
  ),
  row(
    "O-O-08",
    "one that somebody deleted is made anew within a drift period, at the same floating IP",
    async (env) => {
      await twoMembers(env);
      const name = "o-o-drift";
      await env.restart({ "--load-balancer-drift-period": "10s" });
      await createService(env, name);
      const address = ingressOf(await served(env, name, LONG_MS))[0]?.ip;
      const { id } = await untilBalancer(env, name, () => undefined);
      await env.project.console.loadBalancer.remove(`/lbaas/loadbalancers/${id}?cascade=true`);
      await eventually(
        async () => {
          const again = await balancerOf(env, name);
          demand(again.id !== id, "it is still there");
          same(again.provisioning_status, "ACTIVE", "its status");
          const [ip] = await floatingIpsOf(env);
          same(
            [ip?.floating_ip_address, ip?.port_id],
            [address, again.vip_port_id],
            "its floating IP",
          );
        },
        { withinMs: LONG_MS },
      );
      await removed(env, name);
      await env.restart();
    },
  ),
  row(
    "O-O-09",
    "one in ERROR is reported; with on-error=recreate it is made anew and keeps its floating IP",
    async (env) => {
      await twoMembers(env);
      const name = "o-o-error";
      await env.restart({ "--load-balancer-drift-period": "10s" });
      await createService(env, name);
      const address = ingressOf(await served(env, name, LONG_MS))[0]?.ip;
      const { id } = await untilBalancer(env, name, () => undefined);
      await broken(env, id);
      await untilService(env, name, {
        check: ({ status }) =>
          demand(
            status.conditions?.some(({ message = "" }) => message.includes("ERROR")) === true,
            "nothing says that it is in ERROR",
          ),
        withinMs: LONG_MS,
      });
      same((await balancerOf(env, name)).id, id, "the load balancer");
      await withOptions(env, "on-error = recreate", async () => {
        await eventually(
          async () => {
            const again = await balancerOf(env, name);
            demand(again.id !== id, "it is still there");
            const [ip] = await floatingIpsOf(env);
            same(
              [ip?.floating_ip_address, ip?.port_id],
              [address, again.vip_port_id],
              "its floating IP",
            );
          },
          { withinMs: LONG_MS },
        );
        await removed(env, name);
      });
    },
  ),
  row(
    "O-O-10",
    "Octavia's quota is named on the Service, which goes on once there is room; what is used of each quota is a metric",
    (env) =>
      withQuota(env, { load_balancer: 0 }, async (lift) => {
        await twoMembers(env);
        const name = "o-o-quota";
        await createService(env, name);
        await untilService(env, name, {
          check: ({ status }) =>
            demand(
              status.conditions?.some(({ message = "" }) => /quota/i.test(message)) === true,
              "nothing names the quota",
            ),
          withinMs: LONG_MS,
        });
        // The refusal has them read anew.
        await eventually(
          async () => quotasShown(await metrics((await env.controller()).securePort)),
          {
            withinMs: LONG_MS,
          },
        );
        await lift();
        await annotate(env, name, { "example.test/again": "1" });
        await served(env, name, LONG_MS);
        await removed(env, name);
      }),
  ),
];

/** As an administrator limits the project, until the work is done or lifts it. */
async function withQuota(
  { lab, project }: OpenStackEnvironment,
  quota: object,
  work: (lift: () => Promise<unknown>) => Promise<void>,
): Promise<void> {
  const { loadBalancer } = await Console.open(await lab.settingsOf("admin"), lab);
  const path = `/lbaas/quotas/${project.id}`;
  const lift = () => loadBalancer.call("PUT", path, { quota: { load_balancer: -1 } });
  await loadBalancer.call("PUT", path, { quota });
  try {
    await work(lift);
  } finally {
    await lift();
  }
}

function quotasShown(shown: string): void {
  for (const of of [
    'service="Octavia",resource="load balancers"} 0\n',
    'service="Neutron",resource="floating IPs"} ',
    'service="Nova",resource="servers"} ',
  ]) {
    for (const name of ["used", "limit"])
      demand(shown.includes(`cloudwright_cloud_quota_${name}{${of}`), `no ${name} of ${of}`);
  }
}

/** By a change that ends in ERROR, as a back end's failure does. */
async function broken({ lab, project }: OpenStackEnvironment, id: string): Promise<void> {
  const usual = readFileSync(lab.behaviourFile, "utf8");
  const path = `/lbaas/loadbalancers/${id}`;
  const { loadBalancer } = project.console;
  writeFileSync(lab.behaviourFile, JSON.stringify({ delay: 0.1, error: ["loadbalancer_update"] }));
  try {
    await loadBalancer.call("PUT", path, { loadbalancer: { admin_state_up: true } });
    await eventually(
      async () => {
        const { loadbalancer } = await loadBalancer.get<{ loadbalancer: Balancer }>(path);
        same(loadbalancer.provisioning_status, "ERROR", "its status");
      },
      { withinMs: LONG_MS },
    );
  } finally {
    writeFileSync(lab.behaviourFile, usual);
  }
}
