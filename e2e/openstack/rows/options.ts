import {
  annotate,
  createService,
  editSpec,
  ingressOf,
  served,
  untilService,
} from "../../conformance/service/objects.ts";
import { demand, eventually, same } from "../../harness/wait.ts";
import { type Balancer, balancerOf, balancersOf, untilBalancer } from "../balancers.ts";
import { type OpenStackEnvironment, type Row, row } from "../environment.ts";
import { writesAmong } from "../fault-proxy.ts";
import { LONG_MS } from "../patience.ts";
import { twoMembers } from "./services.ts";
import { gone, removed, withOptions } from "./with-options.ts";

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

/** What options and annotations ask of Octavia and Neutron. */
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
