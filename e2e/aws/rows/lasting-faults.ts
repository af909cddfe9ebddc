import { demand, eventually } from "../../harness/wait.ts";
import { type Row, row } from "../environment.ts";
import {
  addressed,
  createService,
  refusedWith,
  removeServices,
  twoPorts,
  type Wanted,
} from "../services.ts";
import type { Side, Who } from "../side.ts";
import { initialised } from "./nodes.ts";

interface LastingFault {
  readonly service: Wanted;
  /** As the lab's proxy has them. */
  readonly action: string;
  readonly fault: "throttle" | "unauthorized";
  /** What a Service is told: ours says what it means, upstream's manager what the provider said. */
  readonly says: Readonly<Record<Who, RegExp>>;
}

/** Faults that outlast the tries of AWS' SDK, so that they reach whoever has called the provider; then they are over. */
export const lastingFaultRows: readonly Row[] = [
  lastingRow("A-F-06", "throttling that lasts is reported as that, and passes", {
    ...{ service: { name: "throttled", spec: { ports: twoPorts(30_620) } } },
    ...{ action: "elb.CreateLoadBalancer", fault: "throttle" },
    says: {
      ours: /Aws allows no more calls for now \(429 on elasticloadbalancing\.CreateLoadBalancer/,
      "upstream's manager": /api error Throttling/,
    },
  }),
  lastingRow("A-F-07", "a missing permission is reported as that, until it is granted", {
    service: {
      ...{ name: "forbidden", annotations: { type: "nlb" } },
      spec: { ports: twoPorts(30_622) },
    },
    ...{ action: "elbv2.CreateLoadBalancer", fault: "unauthorized" },
    says: {
      ours: /Aws rejected our credentials for elasticloadbalancing\.CreateLoadBalancer/,
      "upstream's manager": /api error AccessDenied/,
    },
  }),
  row("A-F-08", "a Node that joins while its machine cannot be asked for waits", joins),
].map((each) => ({ ...each, isLong: true as const }));

function lastingRow(id: string, title: string, fault: LastingFault): Row {
  return row(id, title, (side) => lasts(side, fault));
}

async function lasts(side: Side, { service, action, fault, says }: LastingFault) {
  await side.lab.faults({ rules: [{ action, fault }] });
  try {
    await createService(side, service);
    await refusedWith(side, service.name, says[side.who]);
  } finally {
    await side.lab.faults({});
  }
  const kinds = await addressed(side, service.name);
  await removeServices(side, service.name);
  return kinds;
}

/** Calls that are refused until the Node has met two tries of it, each of up to three calls. */
const REFUSED_CALLS = 6;

async function joins(side: Side) {
  const { name = "" } = side.lab.machines[3] ?? {};
  if (side.nodes.get(name) !== undefined) await side.kube.delete(`/api/v1/nodes/${name}`);
  await side.lab.faults({ rules: [{ action: "ec2.DescribeInstances", fault: "throttle" }] });
  try {
    await side.register(3, 1);
    await eventually(
      async () => {
        const fired = await side.lab.fired();
        demand(fired >= REFUSED_CALLS, `${fired} calls have met the fault`);
      },
      { withinMs: 120_000 },
    );
  } finally {
    await side.lab.faults({});
  }
  const facts = await initialised(side, 3, 1);
  await side.kube.delete(`/api/v1/nodes/${name}`);
  return facts;
}
