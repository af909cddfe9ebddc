import { watchNodes } from "@cloudwright/core/controllers/objects/node-sightings";
import { ScriptedRoutes } from "@cloudwright/core/controllers/route/testing/scripted-routes";
import {
  FakeInformer,
  found,
  node,
  UNINITIALIZED,
} from "@cloudwright/core/controllers/testing/node-fixture";
import type { KubeConnection } from "@cloudwright/core/kube/calls/kube-client";
import type { KubeObject, Node } from "@cloudwright/core/kube/client";
import { KubeError } from "@cloudwright/core/kube/errors";
import type { Informer } from "@cloudwright/core/kube/informer/informer-port";
import type { ControllerName } from "@cloudwright/core/model/controller-names";
import type { LedgerRecord } from "@cloudwright/core/model/records/record";
import { createManualClock, type ManualClock } from "@cloudwright/core/model/testing/manual-clock";
import { instanceKey, type Provider } from "@cloudwright/provider-api";
import { afterEach, describe, expect, it } from "vitest";
import { defaults } from "../../flags/parse-flags.ts";
import { createLog } from "../../logging/log.ts";
import { accessCloud } from "../../wiring/cloud/cloud-access.ts";
import { UNIDENTIFIED } from "../../wiring/cluster/cluster-identity.ts";
import { WatchCaches } from "../../wiring/cluster/cluster-informers.ts";
import { NEVER_WRITE } from "../../wiring/cluster/fences.ts";
import { createProcessContext } from "../../wiring/process-context.ts";
import { type Leading, type LeadingOptions, startLeading } from "./leading.ts";

const NODE = "cloud-node-controller";
const LIFECYCLE = "cloud-node-lifecycle-controller";
const SERVICE = "service-lb-controller";
const ROUTES = "node-route-controller";

let leading: Leading | undefined;

afterEach(async () => {
  await leading?.stop(0);
  leading = undefined;
});

interface Fixture {
  readonly clock: ManualClock;
  /** What happened, in order. */
  readonly log: string[];
  readonly failures: unknown[];
  begin(options: Partial<LeadingOptions>, cluster?: Partial<LeadingOptions["parts"]>): Leading;
  running(): readonly string[];
}

function fixture(flags: Partial<ReturnType<typeof defaults>> = {}, provider = PROVIDER): Fixture {
  const clock = createManualClock();
  const log: string[] = [];
  const failures: unknown[] = [];
  // A dry run by default, so that no Events or records are written.
  const processContext = {
    ...createProcessContext({
      flags: { ...defaults(), "dry-run": true, ...flags },
      given: [],
      log: createLog({ format: "text", verbosity: 0, write: () => undefined }),
    }),
    clock,
    random: () => 0,
  };
  const cloud = accessCloud(processContext, provider, NEVER_WRITE);
  const begin: Fixture["begin"] = (given, cluster) => {
    leading = startLeading({
      parts: {
        processContext,
        client: EMPTY_CLUSTER,
        nodes: NO_NODES,
        sightings: watchNodes(NO_NODES, clock),
        caches: new WatchCaches(),
        cloud,
        clusterUid: "uid",
        recorder: { append: () => undefined },
        ...cluster,
      },
      selected: [NODE, LIFECYCLE],
      clientOf: (name) => {
        log.push(name);
        return Promise.resolve(EMPTY_CLUSTER);
      },
      term: { identity: "a", leaseTransitions: 0 },
      intents: undefined,
      audit: undefined,
      onSetting: () => undefined,
      onFailed: (error) => failures.push(error),
      ...given,
    });
    return leading;
  };
  return {
    clock,
    log,
    failures,
    begin,
    running: () => leading?.controllers().map(({ name }) => name) ?? [],
  };
}

/** A cloud with instances that are never looked up. */
const PROVIDER: Provider = {
  name: "test",
  hasClusterId: true,
  instances: { describe: () => Promise.reject(new Error("nobody should ask")) },
};

/** A cloud that offers routes as well, and knows each machine. */
const WITH_ROUTES: Provider = {
  ...PROVIDER,
  instances: {
    describe: (refs) => Promise.resolve(new Map(refs.map((ref) => [instanceKey(ref), found()]))),
  },
  routes: new ScriptedRoutes(),
};

const NO_NODES: Informer<Node> = {
  get: () => undefined,
  list: () => [],
  byIndex: () => [],
  subscribe: () => () => undefined,
  synced: Promise.resolve(),
  hasSynced: true,
  silentMs: () => 0,
};

function absent(): Promise<never> {
  const call = { verb: "get", resource: "configmaps", status: 404 };
  return Promise.reject(new KubeError("NotFound", "it is not there", call));
}

const EMPTY_CLUSTER: KubeConnection = {
  get: absent,
  list: () => Promise.resolve({ items: [], metadata: { resourceVersion: "1" } }),
  create: (_target, object) => Promise.resolve(object),
  update: (_target, object) => Promise.resolve(object),
  patch: <T extends KubeObject>() => Promise.resolve({} as T),
  delete: () => Promise.resolve(),
  raw: () => Promise.resolve("ok"),
  watch: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

describe("a process that leads", () => {
  it("starts its controllers one after the other, in order", async () => {
    const { begin, clock, log, running, failures } = fixture();
    const led = begin({});
    await clock.advance(0);
    await led.synced();
    expect(log).toEqual([NODE, LIFECYCLE]);
    expect(running()).toEqual([NODE, LIFECYCLE]);
    expect(failures).toEqual([]);
  });

  it("waits for --controller-start-interval between two of them", async () => {
    const { begin, clock, running } = fixture({ "controller-start-interval": 10_000 });
    begin({});
    await clock.advance(9_999);
    expect(running()).toEqual([NODE]);
    await clock.advance(1);
    expect(running()).toEqual([NODE, LIFECYCLE]);
  });

  it("reports why a controller cannot start, and starts none after it", async () => {
    const { begin, clock, running, failures } = fixture();
    const why = new KubeError("Unauthorized", "no token", { verb: "create", resource: "token" });
    const asked: ControllerName[] = [];
    begin({
      clientOf: (name) => {
        asked.push(name);
        return Promise.reject(why);
      },
    });
    await clock.advance(0);
    expect(failures).toEqual([why]);
    expect(asked).toEqual([NODE]);
    expect(running()).toEqual([]);
  });

  it("skips controllers that the provider does not support or that were not selected", async () => {
    const { begin, clock, log, failures } = fixture();
    begin({ selected: [LIFECYCLE, SERVICE] });
    await clock.advance(0);
    expect(log).toEqual([LIFECYCLE]);
    expect(failures).toEqual([]);
  });

  it("starts the controllers of the second Lease once it is held, and reports each controller's Lease", async () => {
    const { begin, clock, running, log } = fixture();
    let hold: () => void = () => {};
    const held = new Promise<void>((resolve) => {
      hold = resolve;
    });
    const led = begin({
      selected: [NODE],
      migrated: { controllers: [LIFECYCLE], lease: "moving", mainLease: "ccm", held },
    });
    await clock.advance(60_000);
    expect(running()).toEqual([NODE]);
    hold();
    await clock.advance(0);
    expect(log).toEqual([NODE, LIFECYCLE]);
    expect(led.controllers()).toMatchObject([
      { name: NODE, lease: "ccm" },
      { name: LIFECYCLE, lease: "moving" },
    ]);
    expect(led.checks().map(({ name }) => name)).toEqual([NODE, LIFECYCLE]);
  });

  it.each([
    ["waits for the controller of routes, which has yet to start", [NODE, ROUTES], 2_000],
    ["is not delayed where this process makes no routes", [NODE], 0],
  ] as const)(
    "lets a Node that was there before know its routes: it %s",
    async (_, selected, waitsMs) => {
      // A dry run would initialise nothing and wait for nothing.
      const { begin, clock } = fixture({ "dry-run": false }, WITH_ROUTES);
      const ended: string[] = [];
      const nodes = new FakeInformer(node({ name: "n1", taints: [UNINITIALIZED] }));
      const append = (record: LedgerRecord) => {
        if (record.type === "run.end") ended.push(record.object.name);
      };
      begin(
        {
          selected,
          clientOf: (name) =>
            name === ROUTES ? new Promise(() => {}) : Promise.resolve(EMPTY_CLUSTER),
        },
        { nodes, sightings: watchNodes(nodes, clock), recorder: { append } },
      );
      if (waitsMs > 0) {
        await clock.advance(waitsMs - 1);
        expect(ended).toEqual([]);
      }
      await clock.advance(1);
      expect(ended).toEqual(["n1"]);
    },
  );

  it.each([
    ["starts without the cluster's identity", () => Promise.resolve(), [NODE, LIFECYCLE]],
    ["needs the cluster's identity", () => Promise.reject(new Error("no UID")), []],
  ] as const)(
    "serves nodes with a provider that %s, as far as it can",
    async (_, initialize, served) => {
      const uids: unknown[] = [];
      const provider: Provider = {
        ...WITH_ROUTES,
        initialize: ({ clusterUid }) => {
          uids.push(clusterUid);
          return initialize();
        },
      };
      const { begin, clock, running, failures } = fixture({}, provider);
      begin({ selected: [NODE, LIFECYCLE, ROUTES] }, { clusterUid: UNIDENTIFIED });
      await clock.advance(0);
      expect(uids).toEqual([undefined]);
      expect(running()).toEqual(served);
      expect(failures).toEqual([]);
    },
  );

  it("ends if a provider cannot start although it knows the cluster's identity", async () => {
    const why = new Error("no quota");
    const provider: Provider = { ...PROVIDER, initialize: () => Promise.reject(why) };
    const { begin, clock, failures } = fixture({}, provider);
    begin({});
    await clock.advance(0);
    expect(failures).toEqual([why]);
  });

  it("stops although the second Lease was never acquired, or an identity is still being requested", async () => {
    const never = new Promise<never>(() => {});
    for (const options of [
      {
        selected: [NODE],
        migrated: { controllers: [LIFECYCLE], lease: "moving", mainLease: "ccm", held: never },
      },
      { clientOf: () => never },
    ] as const) {
      const { begin, clock, failures } = fixture();
      const led = begin(options);
      await clock.advance(1_000);
      const stopped = led.stop(0);
      await clock.advance(10_000);
      await stopped;
      expect(failures).toEqual([]);
    }
  });
});
