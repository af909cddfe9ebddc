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
import { groupOf } from "./annotations.ts";

const NETWORK = { type: "nlb" };
const BALANCER: Shown = { kind: "networkLoadBalancers", name: /default\/managed\]$/ };
const GROUP: Shown = { kind: "securityGroups", name: /^k8s-default-managed-/ };

/** `NLBSecurityGroupMode = Managed`: network load balancers with security groups that the provider makes. */
export const managedRows: readonly Row[] = [
  row("A-M-01", "a network load balancer of before stays without a group", async (side) => {
    await createService(side, { name: "old", annotations: NETWORK, spec: portsFrom(30_840) });
    await addressed(side, "old");
    const file = side.lab.cloudConfigWith("NLBSecurityGroupMode = Managed");
    await side.restart({ "--cloud-config": file });
    await createService(side, { name: "managed", annotations: NETWORK, spec: portsFrom(30_850) });
    return addressed(side, "old", "managed");
  }),
  row("A-M-02", "changed ports and source ranges reach the group's rules", async (side) => {
    const [first, second] = twoPorts(30_850);
    const ports = [{ ...first, port: 8080 }, second];
    const loadBalancerSourceRanges = ["203.0.113.0/24"];
    await changeSpec(side, "managed", { ports, loadBalancerSourceRanges });
    const holds = /"tcp 8080 203\.0\.113\.0\/24/;
    await untilShown(side, { ...GROUP, holds }, { ...BALANCER, holds: /"TCP:8080"/ });
  }),
  row("A-M-03", "a user's group takes its place, and it is deleted", async (side) => {
    await annotate(side, "managed", { "security-groups": await groupOf(side, "users") });
    await untilShown(side, { ...BALANCER, holds: /<users>/ });
  }),
  row("A-M-04", "a group that is in use for a while is deleted with its load balancer", busy),
].map((each) => ({ ...each, isLong: true as const }));

/** AWS lets go of a load balancer's network interfaces, and so of its groups, some time after the load balancer is gone. */
async function busy(side: Side): Promise<void> {
  await createService(side, { name: "busy", annotations: NETWORK, spec: portsFrom(30_860) });
  await addressed(side, "busy");
  await side.lab.faults({ emulate: { groupBusySeconds: 6 } });
  try {
    await removeServices(side, "busy", "managed", "old");
  } finally {
    await side.lab.faults({});
  }
  await side.restart();
}

function portsFrom(nodePort: number) {
  return { ports: twoPorts(nodePort) };
}
