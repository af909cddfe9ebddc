import { demand } from "../../harness/wait.ts";
import { type Row, row } from "../environment.ts";
import type { Faults } from "../lab.ts";
import { addressed, createService, removeServices, twoPorts, type Wanted } from "../services.ts";
import type { Side } from "../side.ts";

/** What goes wrong while a Service comes or goes; in the end both clouds are as if nothing had. */
export const faultRows: readonly Row[] = [
  faultRow("A-F-01", "throttled calls are made again", {
    rules: [
      { action: "ec2.DescribeSubnets", fault: "throttle", times: 2 },
      { action: "elbv2.CreateListener", fault: "throttle", times: 1 },
    ],
  }),
  faultRow("A-F-02", "a lost answer makes no second load balancer", {
    rules: [{ action: "elbv2.CreateLoadBalancer", fault: "lose", times: 1 }],
  }),
  faultRow("A-F-03", "a security group that is in use for a while is deleted all the same", {
    rules: [
      {
        ...{ action: "ec2.DeleteSecurityGroup", times: 1, status: 400 },
        ...{ code: "DependencyViolation", message: "resource sg has a dependent object" },
      },
    ],
  }),
  faultRow("A-F-04", "a lost answer makes no second classic load balancer", {
    rules: [{ action: "elb.CreateLoadBalancer", fault: "lose", times: 1 }],
  }),
  faultRow("A-F-05", "a lost answer to a deletion leaves nothing behind", {
    rules: [{ action: "elbv2.DeleteLoadBalancer", fault: "lose", times: 1 }],
  }),
].map((each) => ({ ...each, isLong: true as const }));

function faultRow(id: string, title: string, faults: Faults): Row {
  return row(id, title, (side) => comesAndGoes(side, faults));
}

/** One of each kind, with these faults all the time. */
async function comesAndGoes(side: Side, faults: Faults): Promise<unknown> {
  const services: readonly Wanted[] = [
    { name: "classic", spec: { ports: twoPorts(30_600) } },
    { name: "network", annotations: { type: "nlb" }, spec: { ports: twoPorts(30_610) } },
  ];
  await side.lab.faults(faults);
  try {
    for (const one of services) await createService(side, one);
    const names = services.map(({ name }) => name);
    const kinds = await addressed(side, ...names);
    await removeServices(side, ...names);
    demand((await side.lab.fired()) > 0, "no call has met the fault");
    return kinds;
  } finally {
    await side.lab.faults({});
  }
}
