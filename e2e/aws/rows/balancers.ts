import { demand, eventually } from "../../harness/wait.ts";
import { type Row, row, type Shown, untilShown } from "../environment.ts";
import {
  addressed,
  annotate,
  changeSpec,
  createService,
  removeServices,
  twoPorts,
} from "../services.ts";
import type { Side } from "../side.ts";

const CLASSIC: Shown = { kind: "classicLoadBalancers", name: /default\/web\]$/ };
const NETWORK: Shown = { kind: "networkLoadBalancers", name: /default\/edge\]$/ };
const TARGETS: Shown = { kind: "targetGroups", name: /^k8s-default-edge-/ };

/** A classic load balancer, `web`, and one of the network, `edge`, from their making to their end. */
export const balancerRows: readonly Row[] = [
  row("A-L-01", "a Service gets a classic load balancer with source ranges", async (side) => {
    const ranges = ["192.0.2.0/24", "198.51.100.0/24"];
    const spec = { loadBalancerSourceRanges: ranges, ports: twoPorts(30_180) };
    await createService(side, { name: "web", spec });
    return addressed(side, "web");
  }),
  row(
    "A-L-02",
    "one of type nlb with the policy Local gets a network load balancer",
    async (side) => {
      const local = { externalTrafficPolicy: "Local", healthCheckNodePort: 30_999 };
      const spec = {
        ...local,
        loadBalancerSourceRanges: ["192.0.2.0/24"],
        ports: twoPorts(30_280),
      };
      await createService(side, { name: "edge", annotations: { type: "nlb" }, spec });
      return addressed(side, "edge");
    },
  ),
  row("A-L-03", "a changed port reaches both", async (side) => {
    for (const [name, nodePort] of [
      ["web", 30_180],
      ["edge", 30_280],
    ] as const) {
      const [first, second] = twoPorts(nodePort);
      await changeSpec(side, name, { ports: [{ ...first, port: 8080 }, second] });
    }
    const holds = /"TCP:8080"/;
    const lacks = /"TCP:80"/;
    await untilShown(side, { ...CLASSIC, holds, lacks }, { ...NETWORK, holds, lacks });
  }),
  row("A-L-04", "changed annotations reach both", async (side) => {
    const zones = { "cross-zone-load-balancing-enabled": "true" };
    await annotate(side, "web", { ...zones, "connection-idle-timeout": "120" });
    await annotate(side, "edge", zones);
    const holds = /"load_balancing.cross_zone.enabled":"true"/;
    await untilShown(side, { ...CLASSIC, holds: /"IdleTimeout":120/ }, { ...NETWORK, holds });
  }),
  row("A-L-05", "changed source ranges reach the security groups of both", async (side) => {
    for (const name of ["web", "edge"])
      await changeSpec(side, name, { loadBalancerSourceRanges: ["203.0.113.0/24"] });
    const changed = { kind: "securityGroups", holds: /203\.0\.113\.0/, lacks: /192\.0\.2\.0/ };
    await untilShown(
      side,
      { ...changed, name: /^k8s-elb-LB\[default\/web\]$/ },
      { ...changed, name: /^nodes\.lab$/ },
    );
  }),
  row("A-L-06", "a Node that is removed leaves both, while its machine lives on", async (side) => {
    await side.kube.delete(`/api/v1/nodes/${side.lab.machines[3]?.name}`);
    const lacks = /<node-3>/;
    await untilShown(side, { ...CLASSIC, lacks }, { ...TARGETS, lacks });
  }),
  row("A-L-07", "a start without a change changes nothing", async (side) => {
    await side.restart();
    await eventually(
      async () => {
        const { byOperation } = await side.lab.calls();
        for (const service of ["elb", "elbv2"])
          demand(
            `${service}.DescribeLoadBalancers` in byOperation,
            `${service} was not asked for its load balancers`,
          );
      },
      { withinMs: 60_000 },
    );
  }),
  row("A-L-08", "deleted Services take along everything that was made for them", async (side) =>
    removeServices(side, "web", "edge"),
  ),
  row("A-L-09", "many that are deleted at once leave nothing, too", deletedAtOnce),
];

/** All of them write the rules of the nodes' one security group. */
async function deletedAtOnce(side: Side) {
  const names = Array.from({ length: 8 }, (_, index) => `many-${index}`);
  for (const [index, name] of names.entries()) {
    const annotations = index % 4 === 3 ? {} : { type: "nlb" };
    const spec = { ports: twoPorts(30_400 + 10 * index) };
    await createService(side, { name, annotations, spec });
  }
  const kinds = await addressed(side, ...names);
  await removeServices(side, ...names);
  return kinds;
}
