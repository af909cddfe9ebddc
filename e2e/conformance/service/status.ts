import { tellStatus } from "../../harness/balancers.ts";
import type { Service } from "../../harness/service.ts";
import { always, demand, eventually, same } from "../../harness/wait.ts";
import { type Scenario, Skip, type World } from "../environment/scenario.ts";
import { quiet, statusWrites } from "./evidence.ts";
import {
  annotate,
  balancerFor,
  editService,
  hasFinalizer,
  ingressOf,
  preparedService,
  seenService,
  untilService,
} from "./objects.ts";

/** Rows about what the Service says of where it is reached. */
export const SERVICE_STATUS: readonly Scenario[] = [
  {
    id: "S-48",
    title: "a host name in the address's place is taken over, without ipMode",
    async run(world) {
      await preparedService(world, "s-48");
      await tellAnew(world, "s-48", { hostname: "lb.example" });
      await untilShown(world, "s-48", [{ hostname: "lb.example" }]);
    },
  },
  {
    id: "S-49",
    title: "ipMode Proxy is stored, and not again",
    async run(world) {
      await preparedService(world, "s-49");
      const { address } = await balancerFor(world, "s-49");
      await tellAnew(world, "s-49", { ipMode: "Proxy" });
      await untilShown(world, "s-49", [{ ip: address, ipMode: "Proxy" }]);
      await noWriteFor(world, "s-49");
    },
  },
  {
    id: "S-50",
    title: "the ports of an address are stored",
    async run(world) {
      await preparedService(world, "s-50");
      const { address } = await balancerFor(world, "s-50");
      const ports = [{ port: 80, protocol: "TCP" }];
      await tellAnew(world, "s-50", { ports });
      await untilShown(world, "s-50", [{ ip: address, ipMode: "VIP", ports }]);
    },
  },
  {
    id: "S-71",
    title: "an address without ipMode is written once, however often it is ensured",
    async run(world) {
      await preparedService(world, "s-71");
      await noWriteFor(world, "s-71");
      const writes = await statusWrites(world, "s-71");
      if (writes === undefined) throw new Skip("this cluster keeps no record of writes");
      same(writes, 1, "writes of the status");
    },
  },
  {
    id: "S-73",
    title: "the finalizer that somebody removes comes back",
    async run(world) {
      await preparedService(world, "s-73");
      const edited = await editService(world, "s-73", { metadata: { finalizers: null } });
      await untilService(world, "s-73", {
        check: (service) => {
          demand(versionOf(service) > versionOf(edited), "the edit is not seen yet");
          hasFinalizer(service);
        },
      });
      await always(() => hasFinalizer(seenService(world, "s-73")), {
        forMs: 3_000,
        on: world.services,
      });
    },
  },
];

function versionOf({ metadata }: Service): number {
  return Number(metadata.resourceVersion);
}

async function tellAnew(world: World, name: string, told: object): Promise<void> {
  const { id } = await balancerFor(world, name);
  await tellStatus(world.cloud, { id, ...told });
}

let stamp = 0;

/**
 * An edit that the provider is said to read makes it look anew; what was just answered to us may be believed for some seconds,
 * so that one more is made now and then.
 */
async function untilShown(world: World, name: string, wanted: object[]): Promise<void> {
  await eventually(
    async () => {
      stamp += 1;
      await annotate(world, name, { "sandbox.cloudwright.io/stamp": String(stamp) });
      await untilService(world, name, {
        withinMs: 4_000,
        check: (service) => same(ordered(ingressOf(service)), ordered(wanted), "the ingress"),
      });
    },
    { withinMs: 30_000 },
  );
}

/** Three more rounds that find everything as it is. */
async function noWriteFor(world: World, name: string): Promise<void> {
  const before = seenService(world, name);
  for (const value of ["one", "two", "three"]) {
    await annotate(world, name, { "sandbox.cloudwright.io/round": value });
    await quiet(world, name);
  }
  same(ingressOf(seenService(world, name)), ingressOf(before), "where it is reached");
}

function ordered(ingress: readonly object[]): unknown {
  return ingress.map((entry) =>
    Object.entries(entry).sort(([left], [right]) => (left < right ? -1 : 1)),
  );
}
