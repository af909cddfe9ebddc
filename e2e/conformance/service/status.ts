import { overrideStatus } from "../../harness/load-balancers.ts";
import type { Service } from "../../harness/service.ts";
import { always, demand, eventually, same } from "../../harness/wait.ts";
import { rows, type Scenario, type SharedEnvironment, Skip } from "../environment/scenario.ts";
import { quiet, statusWrites } from "./evidence.ts";
import {
  annotate,
  editService,
  hasFinalizer,
  ingressOf,
  loadBalancerFor,
  preparedService,
  seenService,
  untilService,
} from "./objects.ts";

/** Rows about the addresses in the Service's status. */
export const SERVICE_STATUS: readonly Scenario[] = rows({
  "S-48 a host name in the address's place is taken over, without ipMode": async (env) => {
    await preparedService(env, "s-48");
    await reportAgain(env, "s-48", { hostname: "lb.example" });
    await untilShown(env, "s-48", [{ hostname: "lb.example" }]);
  },
  "S-49 ipMode Proxy is stored, and not again": async (env) => {
    await preparedService(env, "s-49");
    const { address } = await loadBalancerFor(env, "s-49");
    await reportAgain(env, "s-49", { ipMode: "Proxy" });
    await untilShown(env, "s-49", [{ ip: address, ipMode: "Proxy" }]);
    await noWriteFor(env, "s-49");
  },
  "S-50 the ports of an address are stored": async (env) => {
    await preparedService(env, "s-50");
    const { address } = await loadBalancerFor(env, "s-50");
    const ports = [{ port: 80, protocol: "TCP" }];
    await reportAgain(env, "s-50", { ports });
    await untilShown(env, "s-50", [{ ip: address, ipMode: "VIP", ports }]);
  },
  "S-71 an address without ipMode is written once, however often it is ensured": async (env) => {
    await preparedService(env, "s-71");
    await noWriteFor(env, "s-71");
    const writes = await statusWrites(env, "s-71");
    if (writes === undefined) throw new Skip("this cluster keeps no record of writes");
    same(writes, 1, "writes of the status");
  },
  "S-73 the finalizer that somebody removes comes back": async (env) => {
    await preparedService(env, "s-73");
    const edited = await editService(env, "s-73", { metadata: { finalizers: null } });
    await untilService(env, "s-73", {
      check: (service) => {
        demand(versionOf(service) > versionOf(edited), "the edit is not seen yet");
        hasFinalizer(service);
      },
    });
    await always(() => hasFinalizer(seenService(env, "s-73")), {
      forMs: 3_000,
      on: env.services,
    });
  },
});

function versionOf({ metadata }: Service): number {
  return Number(metadata.resourceVersion);
}

async function reportAgain(env: SharedEnvironment, name: string, reported: object): Promise<void> {
  const { id } = await loadBalancerFor(env, name);
  await overrideStatus(env.cloud, { id, ...reported });
}

let stamp = 0;

/**
 * An edit of an annotation that the provider claims to read triggers an observation; a recent answer may be reused for some
 * seconds, so the edit is repeated.
 */
async function untilShown(env: SharedEnvironment, name: string, wanted: object[]): Promise<void> {
  await eventually(
    async () => {
      stamp += 1;
      await annotate(env, name, { "sandbox.cloudwright.io/stamp": String(stamp) });
      await untilService(env, name, {
        withinMs: 4_000,
        check: (service) => same(ordered(ingressOf(service)), ordered(wanted), "the ingress"),
      });
    },
    { withinMs: 30_000 },
  );
}

/** Expects no write in three more rounds without changes. */
async function noWriteFor(env: SharedEnvironment, name: string): Promise<void> {
  const before = seenService(env, name);
  for (const value of ["one", "two", "three"]) {
    await annotate(env, name, { "sandbox.cloudwright.io/round": value });
    await quiet(env, name);
  }
  same(ingressOf(seenService(env, name)), ingressOf(before), "where it is reached");
}

function ordered(ingress: readonly object[]): unknown {
  return ingress.map((entry) =>
    Object.entries(entry).sort(([left], [right]) => (left < right ? -1 : 1)),
  );
}
