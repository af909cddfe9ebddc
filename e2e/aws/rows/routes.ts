import { setReady } from "../../harness/nodes.ts";
import { demand, eventually } from "../../harness/wait.ts";
import { type AwsEnvironment, type Row, row, type Shown, untilShown } from "../environment.ts";
import type { Machine } from "../lab.ts";
import { POD_RANGE, type Side } from "../side.ts";

const WITH_ROUTES = { "--configure-cloud-routes": "true", "--cluster-cidr": POD_RANGE };
const TABLE: Shown = { kind: "routeTables", name: /^main$/ };

export const routeRows: readonly Row[] = [
  row("A-R-01", "each Node's pod range gets a route to its machine", async (side) => {
    await side.restart(WITH_ROUTES);
    for (const which of [0, 1, 2]) await untilShown(side, { ...TABLE, holds: routeTo(which) });
  }),
  row("A-R-02", "the route of a terminated machine is removed with its Node", async (side) => {
    await terminate(side, 2);
    await untilShown(side, { ...TABLE, lacks: /10\.128\.2\.0/ });
  }),
  row("A-R-03", "that of a Node and a machine that went while nobody looked is removed, too", left),
  { id: "A-R-04", title: "a machine that lives and has no Node stops no route", run: orphaned },
];

/** A user's own route to the same machine, outside the pods' range, is a blackhole then as well: it stays. */
async function left(side: Side): Promise<void> {
  const machine = machineOf(side, 0);
  const { AWSLAB_ROUTE_TABLE: RouteTableId = "" } = side.lab.settings;
  await side.stop();
  await side.lab.asUser("CreateRoute", {
    ...{ RouteTableId, DestinationCidrBlock: "192.0.2.0/24", InstanceId: machine.instanceId },
  });
  await side.lab.terminate(machine);
  await side.kube.delete(`/api/v1/nodes/${machine.name}`);
  await side.restart(WITH_ROUTES);
  await untilShown(side, { ...TABLE, holds: /192\.0\.2\.0\/24/, lacks: /10\.128\.0\.0/ });
}

function routeTo(which: number): RegExp {
  return new RegExp(`10\\.128\\.${which}\\.0/24 -> <node-${which}> active`);
}

function machineOf({ lab }: Side, which: number): Machine {
  const machine = lab.machines[which];
  if (machine === undefined) throw new Error(`there is no machine ${which}`);
  return machine;
}

async function terminate(side: Side, which: number): Promise<void> {
  const machine = machineOf(side, which);
  await side.lab.terminate(machine);
  await setReady(side.kube, machine.name, "Unknown");
  await eventually(
    () => demand(side.nodes.get(machine.name) === undefined, `${machine.name} is still there`),
    { withinMs: 120_000, on: side.nodes },
  );
}

/** Upstream's manager makes and removes no route from then on (the lab's README), so this is ours alone. */
async function orphaned({ ours }: AwsEnvironment): Promise<string> {
  await ours.kube.delete(`/api/v1/nodes/${ours.lab.machines[1]?.name}`);
  const { name } = machineOf(ours, 3);
  if (ours.nodes.get(name) === undefined) await ours.register(3, 1);
  await untilShown(ours, { ...TABLE, holds: routeTo(3) });
  return "upstream's manager stops all work on routes then";
}
