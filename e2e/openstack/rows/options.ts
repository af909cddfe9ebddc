import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
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
import { type Flags, metrics } from "../../harness/controller.ts";
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
import { writesAmong } from "../fault-proxy.ts";
import { LONG_MS } from "../patience.ts";
import { twoMembers } from "./services.ts";

const ID = "loadbalancer.openstack.org/load-balancer-id";
const MEMBER_SUBNET = "loadbalancer.openstack.org/member-subnet-id";
const DNS = ["TCP", "UDP"].map((protocol) => ({
  ...{ name: `dns-${protocol.toLowerCase()}`, port: 53, protocol },
}));

interface Member {
  readonly subnet_id: string;
  readonly monitor_port: number | null;
}

interface Pool {
  readonly id: string;
  readonly protocol: string;
  readonly session_persistence: { readonly type: string } | null;
  readonly healthmonitor_id: string | null;
}

interface SecurityGroup {
  readonly id: string;
  readonly name: string;
  readonly security_group_rules: readonly {
    readonly direction: string;
    readonly protocol: string | null;
    readonly port_range_min: number | null;
  }[];
}

/** What options and annotations ask of Octavia and Neutron, and what becomes of a load balancer that does not stay as it was. */
export const optionRows: readonly Row[] = [
  row("O-O-01", "TCP and UDP on one port, and a client keeps its Node", async (env) => {
    await twoMembers(env);
    const name = "o-o-dns";
    await createService(env, name, { spec: { ports: DNS, sessionAffinity: "ClientIP" } });
    await served(env, name, LONG_MS);
    const { id } = await untilBalancer(env, name, ({ listeners }) =>
      same(
        listeners.map((each) => `${each.protocol_port}/${each.protocol}`).toSorted(),
        ["53/TCP", "53/UDP"],
        "its listeners",
      ),
    );
    for (const pool of await poolsOf(env, id))
      same(pool.session_persistence?.type, "SOURCE_IP", `the persistence of ${pool.protocol}`);
    await removed(env, name);
  }),
  row(
    "O-O-02",
    "with externalTrafficPolicy Local and monitors its members are asked at the Service's health check port",
    async (env) => {
      await twoMembers(env);
      const name = "o-o-local";
      const service = await createService(env, name, {
        spec: { externalTrafficPolicy: "Local" },
        annotations: { "loadbalancer.openstack.org/enable-health-monitor": "true" },
      });
      await served(env, name, LONG_MS);
      const port = (service.spec as { healthCheckNodePort?: number }).healthCheckNodePort;
      const { id } = await balancerOf(env, name);
      await eventually(
        async () => {
          const [pool] = await poolsOf(env, id);
          demand(typeof pool?.healthmonitor_id === "string", "the pool has no monitor");
          const { loadBalancer } = env.project.console;
          const { healthmonitor } = await loadBalancer.get<{
            healthmonitor: { type: string; url_path: string };
          }>(`/lbaas/healthmonitors/${pool?.healthmonitor_id}`);
          same([healthmonitor.type, healthmonitor.url_path], ["HTTP", "/healthz"], "its monitor");
          const members = await membersOf(env, pool);
          same(
            members.map(({ monitor_port }) => monitor_port),
            [port, port],
            "where its members are asked",
          );
        },
        { withinMs: LONG_MS },
      );
      await removed(env, name);
    },
  ),
  row(
    "O-O-03",
    "managed security groups are on the members' ports, follow the Service, and go with it",
    async (env) => {
      await twoMembers(env);
      await withOptions(env, "manage-security-groups = true", async () => {
        const name = "o-o-group";
        const service = await createService(env, name);
        await served(env, name, LONG_MS);
        const nodePort = service.spec.ports[0]?.nodePort;
        await eventually(
          async () => {
            const [group] = await groupsOf(env);
            const allowed = group?.security_group_rules.filter(
              ({ direction, protocol }) => direction === "ingress" && protocol === "tcp",
            );
            same(
              allowed?.map(({ port_range_min }) => port_range_min),
              [nodePort],
              "what its rules let in",
            );
            same(await portsWith(env, group?.id ?? ""), 2, "ports that have it");
          },
          { withinMs: LONG_MS },
        );
        await removed(env, name);
      });
    },
  ),
  row(
    "O-O-04",
    "a second Service shares a load balancer by its id; a port that is taken is refused, and each leaves the other's alone",
    async (env) => {
      await twoMembers(env);
      await withOptions(env, "max-shared-lb = 3", () => sharedByThree(env));
    },
  ),
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
  row("O-O-06", "in serial mode each object is made by a call of its own", async (env) => {
    await twoMembers(env);
    await withOptions(env, "provider-requires-serial-api-calls = true", async () => {
      const name = "o-o-serial";
      env.proxy.forget();
      await createService(env, name);
      await served(env, name, LONG_MS);
      await untilBalancer(env, name, ({ listeners }) => {
        same(portsOf(listeners), [80], "its ports");
        same(listeners[0]?.members.length, 2, "members");
      });
      const made = writesAmong(env.proxy.calls)
        .filter(({ method, service }) => method === "POST" && service === "load-balancer")
        .map(({ route }) => route.split("/").at(-1));
      for (const kind of ["loadbalancers", "listeners", "pools", "members"])
        demand(made.includes(kind), `no call of its own for ${kind}: ${made}`);
      await removed(env, name);
    });
  }),
  row(
    "O-O-07",
    "a Service of both families has a virtual address of each; of its source ranges those of the first family are sent, and an Event names the others",
    async (env) => {
      await twoMembers(env);
      const name = "o-o-dual";
      await createService(env, name, {
        spec: { ipFamilyPolicy: "RequireDualStack", ipFamilies: ["IPv4", "IPv6"] },
      });
      const service = await served(env, name, LONG_MS);
      const { id } = await untilBalancer(env, name, () => undefined);
      const { loadbalancer } = await env.project.console.loadBalancer.get<{
        loadbalancer: { additional_vips: { ip_address: string }[] };
      }>(`/lbaas/loadbalancers/${id}`);
      const [other] = loadbalancer.additional_vips;
      demand(other?.ip_address.includes(":") === true, "it has no virtual IPv6 address");
      demand(
        ingressOf(service).some(({ ip }) => ip === other?.ip_address),
        `${other?.ip_address} is not published`,
      );
      await editSpec(env, name, { loadBalancerSourceRanges: ["192.0.2.0/24", "2001:db8::/32"] });
      await untilBalancer(env, name, ({ listeners }) =>
        same(listeners[0]?.allowed_cidrs, ["192.0.2.0/24"], "its ranges"),
      );
      await eventually(() => demand(isNamed(env, name, "2001:db8::/32"), "no Event names it"), {
        withinMs: LONG_MS,
        on: env.events,
      });
      await removed(env, name);
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
  row(
    "O-O-11",
    "members move to the subnet that a Service asks for after its load balancer was made, and back when it no longer does",
    async (env) => {
      await twoMembers(env);
      const name = "o-o-subnet";
      const { console, networkId, subnetId } = env.project;
      const { subnet } = await console.network.call<{ subnet: { id: string } }>(
        ...(["POST", "/subnets"] as const),
        { subnet: { network_id: networkId, ip_version: 4, cidr: "10.99.0.0/24" } },
      );
      await createService(env, name);
      await served(env, name, LONG_MS);
      const { id } = await untilBalancer(env, name, () => undefined);
      await untilMembersAreIn(env, id, subnetId);
      await annotate(env, name, { [MEMBER_SUBNET]: subnet.id });
      await untilMembersAreIn(env, id, subnet.id);
      await annotate(env, name, { [MEMBER_SUBNET]: null });
      await untilMembersAreIn(env, id, subnetId);
      await untilBalancer(env, name, ({ tags }) =>
        demand(!tags.some((tag) => tag.includes(subnet.id)), `it is still tagged: ${tags}`),
      );
      await removed(env, name);
      await console.network.remove(`/subnets/${subnet.id}`);
    },
  ),
];

async function membersOf(
  { project }: OpenStackEnvironment,
  pool: Pool | undefined,
): Promise<readonly Member[]> {
  const { members } = await project.console.loadBalancer.get<{ members: Member[] }>(
    `/lbaas/pools/${pool?.id}/members`,
  );
  return members;
}

/** All of them, and both of the Nodes' are there. */
async function untilMembersAreIn(
  env: OpenStackEnvironment,
  id: string,
  subnetId: string,
): Promise<void> {
  await eventually(
    async () => {
      const [pool] = await poolsOf(env, id);
      const members = await membersOf(env, pool);
      same(
        members.map(({ subnet_id }) => subnet_id),
        [subnetId, subnetId],
        "the subnets of its members",
      );
    },
    { withinMs: LONG_MS },
  );
}

/** Three may share it, so that nothing but the port refuses the last one. */
async function sharedByThree(env: OpenStackEnvironment): Promise<void> {
  await createService(env, "o-o-host");
  await served(env, "o-o-host", LONG_MS);
  const { id } = await untilBalancer(env, "o-o-host", () => undefined);
  const annotations = { [ID]: id };
  const port = (number: number) => [{ name: "p", port: number, protocol: "TCP" }];
  await createService(env, "o-o-guest", { spec: { ports: port(8080) }, annotations });
  const guest = await served(env, "o-o-guest", LONG_MS);
  await createService(env, "o-o-late", { spec: { ports: port(80) }, annotations });
  await untilBalancer(env, "o-o-host", ({ listeners }) =>
    same(portsOf(listeners), [80, 8080], "its ports"),
  );
  same((await balancersOf(env)).length, 1, "load balancers");
  const host = await served(env, "o-o-host", LONG_MS);
  same(ingressOf(guest)[0]?.ip, ingressOf(host)[0]?.ip, "the guest's address");
  await untilService(env, "o-o-late", {
    check: ({ status }) =>
      demand(
        status.conditions?.some(({ message = "" }) => /80/.test(message)) === true,
        "nothing says that the port is taken",
      ),
    withinMs: LONG_MS,
  });
  await gone(env, "o-o-late");
  await gone(env, "o-o-guest");
  await untilBalancer(env, "o-o-host", ({ listeners }) =>
    same(portsOf(listeners), [80], "its ports"),
  );
  await removed(env, "o-o-host");
}

/** Whether an Event of the Service says that this range is left out. */
function isNamed({ events }: OpenStackEnvironment, service: string, range: string): boolean {
  return events
    .all()
    .some(
      ({ involvedObject: { kind, name }, reason, message }) =>
        kind === "Service" &&
        name === service &&
        reason === "LoadBalancerSourceRangesIgnored" &&
        message.includes(range),
    );
}

function portsOf(listeners: Balancer["listeners"]): readonly number[] {
  return listeners.map(({ protocol_port }) => protocol_port);
}

async function gone(env: OpenStackEnvironment, name: string): Promise<void> {
  await deleteService(env, name);
  await serviceGone(env, name, LONG_MS);
}

/** With nothing left of any load balancer. */
export async function removed(env: OpenStackEnvironment, name: string): Promise<void> {
  await gone(env, name);
  same(await leftOf(env), [], "what is left");
}

/** A controller whose `[LoadBalancer]` has these lines as well, for as long as the work takes. */
async function withOptions(
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

async function poolsOf({ project }: OpenStackEnvironment, id: string): Promise<readonly Pool[]> {
  const path = `/lbaas/pools?loadbalancer_id=${id}`;
  return (await project.console.loadBalancer.get<{ pools: Pool[] }>(path)).pools;
}

async function groupsOf({ project }: OpenStackEnvironment): Promise<readonly SecurityGroup[]> {
  const { security_groups: groups } = await project.console.network.get<{
    security_groups: SecurityGroup[];
  }>("/security-groups");
  return groups.filter(({ name }) => name.startsWith("lb-sg-"));
}

async function portsWith({ project }: OpenStackEnvironment, group: string): Promise<number> {
  const path = `/ports?security_groups=${group}`;
  return (await project.console.network.get<{ ports: object[] }>(path)).ports.length;
}
