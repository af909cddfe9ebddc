import { createNode, initialised } from "../../conformance/environment/objects.ts";
import {
  createService,
  deleteService,
  FINALIZER,
  ingressOf,
  served,
  serviceGone,
  untilService,
} from "../../conformance/service/objects.ts";
import { runCloudwright } from "../../harness/processes.ts";
import { SERVICES } from "../../harness/service.ts";
import { always, demand, eventually, same } from "../../harness/wait.ts";
import {
  balancersOf,
  type FloatingIp,
  floatingIpsOf,
  nameOf,
  untilBalancer,
} from "../balancers.ts";
import { type OpenStackEnvironment, type Row, row } from "../environment.ts";
import { LONG_MS } from "../patience.ts";
import { addressOf } from "../servers.ts";
import { joined, leave } from "./nodes.ts";
import { change, type ExtraRoute, routesOf, routeTo, untilRoutes } from "./routes.ts";
import { twoMembers } from "./services.ts";

const NAME = "o-t-web";

/** What upstream's manager left, with its names, tags and descriptions and no mark of ours, is carried on. */
export const takeoverRows: readonly Row[] = [
  row(
    "O-T-01",
    "a load balancer and floating IP of upstream's are taken over, untouched but for the mark, and later removed; a second cluster's stay",
    async (env) => {
      await env.kill();
      const members = await addressesOfMembers(env);
      const ours = await upstreamMade(env, "lab", members);
      const theirs = await upstreamMade(env, "other", members);
      await publishedService(env, ours.address);
      await env.controller();
      await eventually(
        async () =>
          demand(
            (await balancersOf(env)).some(
              ({ id, tags }) => id === ours.id && tags.some((tag) => tag.includes("cloudwright")),
            ),
            "it carries no mark of ours",
          ),
        { withinMs: LONG_MS },
      );
      const before = ours.listener;
      const keep = async () => {
        const all = await balancersOf(env);
        const ids = all.map(({ id }) => id).toSorted(byText);
        same(ids, [ours.id, theirs.id].toSorted(byText), "the load balancers");
        same(
          all.find(({ id }) => id === ours.id)?.listeners.map(({ id }) => id),
          [before],
          "its listeners",
        );
        same((await floatingIpsOf(env)).length, 2, "floating IPs");
      };
      await always(keep, { forMs: 5_000 });
      await untilService(env, NAME, {
        check: (service) => same(ingressOf(service)[0]?.ip, ours.address, "the published address"),
        withinMs: LONG_MS,
      });
      await deleteService(env, NAME);
      await serviceGone(env, NAME, LONG_MS);
      same(
        (await balancersOf(env)).map(({ id }) => id),
        [theirs.id],
        "what is left",
      );
      same(
        (await floatingIpsOf(env)).map(({ floating_ip_address: ip }) => ip),
        [theirs.address],
        "floating IPs that are left",
      );
      await removeTheirs(env, theirs);
    },
  ),
  row(
    "O-T-02",
    "a route of upstream's is taken over without a write, and removed with its Node",
    async (env) => {
      const server = (await env.servers.named("o-t-r")) ?? (await env.servers.create("o-t-r"));
      const route = routeTo(server, "10.120.77.0/24");
      await change(env, "add_extraroutes", [route]);
      await env.controller();
      await createNode(env, server.name, { podCIDRs: [route.destination] });
      await initialised(env, server.name, LONG_MS);
      const is = async () =>
        same(
          (await routesOf(env)).filter(({ destination }) => destination === route.destination),
          [route],
          "its routes",
        );
      await always(is, { forMs: 5_000 });
      await env.kube.delete(`/api/v1/nodes/${server.name}`);
      await untilRoutes(env, (routes) =>
        same(
          routes.filter(({ destination }) => destination === route.destination),
          [],
          "its routes",
        ),
      );
      await env.servers.remove(server.id);
    },
  ),
  row(
    "O-T-03",
    "cleanup lists what a cluster without a controller has in the cloud, and removes that alone once it is confirmed",
    cleanedUp,
  ),
];

const RANGE = "10.120.79.0/24";

async function cleanedUp(env: OpenStackEnvironment): Promise<string> {
  const server = (await env.servers.named("o-t-d")) ?? (await env.servers.create("o-t-d"));
  const node = await joined(env, server, [RANGE]);
  await createService(env, NAME);
  await served(env, NAME, LONG_MS);
  const ours = await untilBalancer(env, NAME, () => undefined);
  const theirs = await upstreamMade(env, "other", []);
  await untilRoutes(env, (routes) => same(toRange(routes).length, 1, "its routes"));
  await env.kill();
  const { metadata } = await env.kube.get("/api/v1/namespaces/kube-system");
  const cleanup = (...more: readonly string[]) =>
    runCloudwright([
      ...["cleanup", `--cluster=${metadata.uid}`, "--cloud-provider=openstack"],
      ...[`--cloud-config=${env.cloudConfig}`, ...more],
    ]);
  const listed = await cleanup().catch((error: unknown) => String(error));
  for (const each of [ours.id, RANGE])
    demand(listed.includes(each), `${each} is not listed: ${listed}`);
  demand(!listed.includes(theirs.id), `what is not this cluster's is listed: ${listed}`);
  same((await balancersOf(env)).length, 2, "load balancers after the list");
  const removed = await cleanup(`--confirm=${metadata.uid}`);
  same(
    (await balancersOf(env)).map(({ id }) => id),
    [theirs.id],
    "load balancers that are left",
  );
  const addresses = (await floatingIpsOf(env)).map(({ floating_ip_address: ip }) => ip);
  same(addresses, [theirs.address], "floating IPs that are left");
  same(toRange(await routesOf(env)), [], "routes");
  await removeTheirs(env, theirs);
  await env.controller();
  await deleteService(env, NAME);
  await serviceGone(env, NAME, LONG_MS);
  await leave(env, node, server);
  return removed.trim().split("\n").at(-1) ?? "";
}

function toRange(routes: readonly ExtraRoute[]): readonly ExtraRoute[] {
  return routes.filter(({ destination }) => destination === RANGE);
}

async function addressesOfMembers(env: OpenStackEnvironment): Promise<readonly string[]> {
  await twoMembers(env);
  const servers = await env.servers.all();
  return servers
    .filter(({ name }) => /^o-s-[ab]$/.test(name))
    .map(addressOf)
    .sort(byText);
}

function byText(left: string, right: string): number {
  return left.localeCompare(right);
}

interface Left {
  readonly id: string;
  readonly listener: string | undefined;
  readonly address: string;
}

/** As upstream's manager of that `--cluster-name` makes them (its names, tags and descriptions, v1.36). */
async function upstreamMade(
  env: OpenStackEnvironment,
  cluster: string,
  members: readonly string[],
): Promise<Left> {
  const { loadBalancer, network } = env.project.console;
  const name = nameOf(NAME).replace("_lab_", `_${cluster}_`);
  const of = `Kubernetes external service default/${NAME} from cluster ${cluster}`;
  const { loadbalancer } = await loadBalancer.call<{
    loadbalancer: { id: string; vip_port_id: string };
  }>("POST", "/lbaas/loadbalancers", {
    loadbalancer: {
      ...{ name, description: of, vip_subnet_id: env.project.subnetId, tags: [name] },
      listeners: [
        {
          ...{ name: `listener_0_${name}`, protocol: "TCP", protocol_port: 80, tags: [name] },
          default_pool: {
            ...{ name: `pool_0_${name}`, protocol: "TCP", lb_algorithm: "ROUND_ROBIN" },
            members: members.map((address, index) => ({
              ...{ name: `o-s-${"ab"[index]}`, address, protocol_port: 30_980 },
              subnet_id: env.project.subnetId,
            })),
          },
        },
      ],
    },
  });
  const { floatingip } = await network.call<{ floatingip: FloatingIp }>("POST", "/floatingips", {
    floatingip: {
      ...{ floating_network_id: env.lab.ids.public_network_id, port_id: loadbalancer.vip_port_id },
      description: `Floating IP for ${of}`,
    },
  });
  const made = await eventually(
    async () => {
      const seen = (await balancersOf(env)).find(({ id }) => id === loadbalancer.id);
      demand(seen?.provisioning_status === "ACTIVE", "it is not active");
      return seen;
    },
    { withinMs: LONG_MS },
  );
  const { id } = loadbalancer;
  return { id, listener: made.listeners[0]?.id, address: floatingip.floating_ip_address };
}

/** Of another cluster, whose floating IP is the only one that is left. */
async function removeTheirs(env: OpenStackEnvironment, theirs: Left): Promise<void> {
  const { loadBalancer, network } = env.project.console;
  await loadBalancer.remove(`/lbaas/loadbalancers/${theirs.id}?cascade=true`);
  const [left] = await floatingIpsOf(env);
  await network.remove(`/floatingips/${left?.id}`);
}

/** As upstream's manager leaves the Service. */
async function publishedService({ kube }: OpenStackEnvironment, ip: string): Promise<void> {
  await kube.create(SERVICES, {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: NAME, finalizers: [FINALIZER] },
    spec: {
      type: "LoadBalancer",
      selector: { app: NAME },
      ports: [{ name: "http", protocol: "TCP", port: 80, targetPort: 8080, nodePort: 30_980 }],
    },
  });
  await kube.patch(`${SERVICES}/${NAME}/status`, "merge", {
    status: { loadBalancer: { ingress: [{ ip }] } },
  });
}
