import {
  annotate,
  createService,
  deleteService,
  editSpec,
  ingressOf,
  served,
  serviceGone,
  untilService,
} from "../../conformance/service/objects.ts";
import { demand, eventually, same } from "../../harness/wait.ts";
import { floatingIpsOf, leftOf, untilBalancer } from "../balancers.ts";
import { type OpenStackEnvironment, type Row, row } from "../environment.ts";
import { LONG_MS } from "../patience.ts";
import { addressOf } from "../servers.ts";
import { joined } from "./nodes.ts";

const INTERNAL = "service.beta.kubernetes.io/openstack-internal-load-balancer";
/** A name that all rows of this part work on, in turn. */
const WEB = "o-s-web";

/** Section 3 of spec/90, as far as a provider can influence it. */
export const serviceRows: readonly Row[] = [
  row(
    "O-S-01",
    "a Service gets a load balancer, its Nodes as members, and a floating IP in its status",
    async (env) => {
      const members = await twoMembers(env);
      await createService(env, WEB);
      const service = await served(env, WEB, LONG_MS);
      const balancer = await untilBalancer(env, WEB, ({ listeners }) => {
        same(
          listeners.map(({ protocol_port }) => protocol_port),
          [80],
          "its listeners",
        );
        same(listeners[0]?.members, members, "its members");
      });
      const [ip] = (await floatingIpsOf(env)).filter(
        (each) => each.port_id === balancer.vip_port_id,
      );
      same(ingressOf(service)[0]?.ip, ip?.floating_ip_address, "the published address");
    },
  ),
  row("O-S-02", "ports are changed, added and removed on the same load balancer", async (env) => {
    const { id } = await untilBalancer(env, WEB, () => undefined);
    const ports = [81, 443].map((port) => ({ name: `p-${port}`, port, protocol: "TCP" }));
    await editSpec(env, WEB, { ports });
    const after = await untilBalancer(env, WEB, ({ listeners }) => {
      same(
        listeners.map(({ protocol_port }) => protocol_port),
        [81, 443],
        "its listeners",
      );
    });
    same(after.id, id, "the load balancer");
  }),
  row("O-S-03", "source ranges limit who may come, and are lifted again", async (env) => {
    await editSpec(env, WEB, { loadBalancerSourceRanges: ["192.0.2.0/24"] });
    await untilBalancer(env, WEB, ({ listeners }) => {
      for (const { allowed_cidrs: ranges } of listeners)
        same(ranges, ["192.0.2.0/24"], "its ranges");
    });
    await editSpec(env, WEB, { loadBalancerSourceRanges: null });
    await untilBalancer(env, WEB, ({ listeners }) => {
      for (const { allowed_cidrs: ranges } of listeners)
        demand(ranges === null || ranges.includes("0.0.0.0/0"), `the ranges are ${ranges}`);
    });
  }),
  row(
    "O-S-04",
    "a Service that turns internal loses its floating IP and publishes the virtual one",
    async (env) => {
      const { vip_address: vip } = await untilBalancer(env, WEB, () => undefined);
      await annotate(env, WEB, { [INTERNAL]: "true" });
      await untilService(env, WEB, {
        check: (service) => same(ingressOf(service)[0]?.ip, vip, "the published address"),
        withinMs: LONG_MS,
      });
      await eventually(async () => same(await floatingIpsOf(env), [], "floating IPs"), {
        withinMs: LONG_MS,
      });
    },
  ),
  row("O-S-05", "a Node that is excluded is no member any more", async (env) => {
    const [first = "", second = ""] = await twoMembers(env);
    const node = env.nodes
      .all()
      .find(({ status }) => status.addresses?.some(({ address }) => address === first));
    demand(node !== undefined, `no node has ${first}`);
    const path = `/api/v1/nodes/${node.metadata.name}`;
    const exclude = (value: string | null) =>
      env.kube.patch(path, "merge", {
        metadata: { labels: { "node.kubernetes.io/exclude-from-external-load-balancers": value } },
      });
    await exclude("true");
    const hasMembers = (wanted: readonly string[]) =>
      untilBalancer(env, WEB, ({ listeners }) => {
        for (const { members } of listeners) same(members, wanted, "its members");
      });
    await hasMembers([second]);
    await exclude(null);
    await hasMembers([first, second].sort());
  }),
  row("O-S-06", "a load balancer that somebody changed is set right", async (env) => {
    const { listeners } = await untilBalancer(env, WEB, () => undefined);
    const path = `/lbaas/listeners/${listeners[0]?.id}`;
    await env.project.console.loadBalancer.call("DELETE", path);
    await annotate(env, WEB, { "example.test/look": "again", [INTERNAL]: "true" });
    await editSpec(env, WEB, { ports: [{ name: "p-81", port: 81, protocol: "TCP" }] });
    await untilBalancer(env, WEB, (seen) => {
      same(
        seen.listeners.map(({ protocol_port }) => protocol_port),
        [81],
        "its listeners",
      );
    });
  }),
  row("O-S-07", "nothing is left of a Service that is deleted", async (env) => {
    await annotate(env, WEB, { [INTERNAL]: "false" });
    await eventually(
      async () => demand((await floatingIpsOf(env)).length === 1, "no floating IP yet"),
      { withinMs: LONG_MS },
    );
    await deleteService(env, WEB);
    await serviceGone(env, WEB, LONG_MS);
    same(await leftOf(env), [], "what is left");
  }),
];

/** Two Nodes that rows of Services share; answers their addresses, sorted. */
export async function twoMembers(env: OpenStackEnvironment): Promise<readonly string[]> {
  const names = ["o-s-a", "o-s-b"];
  const members = names.map(async (name) => {
    const server = (await env.servers.named(name)) ?? (await env.servers.create(name));
    if (env.nodes.get(name) === undefined) await joined(env, server);
    return addressOf(server);
  });
  return (await Promise.all(members)).sort();
}
