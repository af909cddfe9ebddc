import type { NodeSightings } from "@cloudwright/core/controllers/objects/node-sightings";
import { SERVICE_WATCH } from "@cloudwright/core/controllers/service/module";
import {
  type KubeObject,
  type Node,
  PERSISTENT_VOLUMES,
  type PersistentVolume,
  type Service,
  STORAGE_CLASSES,
  type StorageClass,
} from "@cloudwright/core/kube/client";
import type { Informer } from "@cloudwright/core/kube/informer/informer-port";
import type { Election } from "@cloudwright/core/kube/lease/election";
import { describe, expect, it } from "vitest";
import { defaults, parseFlags } from "../../flags/parse-flags.ts";
import type { ServedTls } from "../../http/follow-tls.ts";
import { type HealthCheck, healthAnswer } from "../../http/pages.ts";
import { WatchCaches } from "../../wiring/cluster/cluster-informers.ts";
import { DEFAULT_LEADER_MIGRATION } from "../../wiring/placement/leader-migration.ts";
import type { Leading } from "../leading/leading.ts";
import { emptyState, type ProcessState } from "../process-state.ts";
import { healthChecks, livenessChecks, readinessChecks } from "./health-checks.ts";

function informer<T extends KubeObject>(hasSynced: boolean): Informer<T> {
  return {
    get: () => undefined,
    list: () => [],
    byIndex: () => [],
    subscribe: () => () => undefined,
    synced: new Promise(() => undefined),
    hasSynced,
    silentMs: () => 0,
  };
}

const NOTHING_SEEN: NodeSightings = {
  firstSeen: () => 0,
  wasUninitialised: () => false,
  stop: () => undefined,
};

/** Whether an informer has synced; undefined if there is none. */
type Seen = boolean | undefined;

it.each<readonly [string, Seen, Seen, Seen, string | undefined]>([
  ["nothing", undefined, undefined, undefined, "the nodes were not listed from the API server yet"],
  ["no nodes", false, true, undefined, "the nodes were not listed from the API server yet"],
  ["no services", true, false, undefined, "the services were not listed from the API server yet"],
  [
    "no volumes",
    true,
    undefined,
    false,
    "the persistentvolumes were not listed from the API server yet",
  ],
  ["all that it needs", true, undefined, undefined, undefined],
  ["all", true, true, true, undefined],
])("a process that has listed %s says so", (_, ...[nodes, services, storage, expected]) => {
  const informers =
    nodes === undefined
      ? undefined
      : {
          nodes: informer<Node>(nodes),
          sightings: NOTHING_SEEN,
          caches: cachesOf({ services, storage }),
        };
  const flags = parseFlags(["--cloud-provider=sandbox"]);
  if (flags.kind !== "run") throw new Error("the flags were refused");
  const settings = { flags: flags.values, migration: undefined };
  const checks = readinessChecks(settings, { ...emptyState(), informers });
  expect(checks.find(({ name }) => name === "informers")?.check()).toBe(expected);
});

function cachesOf({ services, storage }: { readonly services: Seen; readonly storage: Seen }) {
  const caches = new WatchCaches();
  if (services !== undefined) caches.add(SERVICE_WATCH, informer<Service>(services));
  if (storage !== undefined) {
    caches.add({ resource: PERSISTENT_VOLUMES }, informer<PersistentVolume>(storage));
    caches.add({ resource: STORAGE_CLASSES }, informer<StorageClass>(true));
  }
  return caches;
}

const NOT_LEADING: Election = {
  isLeader: () => false,
  mayRenew: () => true,
  leader: "",
  term: undefined,
  renewalAgeMs: () => undefined,
  stop: async () => undefined,
};

function leadingSince(renewedMsAgo: number): Election {
  return { ...NOT_LEADING, isLeader: () => true, renewalAgeMs: () => renewedMsAgo };
}

const SETTINGS = { flags: defaults(), migration: undefined };
const MIGRATING = { flags: defaults(), migration: DEFAULT_LEADER_MIGRATION };

function reported(checks: readonly HealthCheck[]): string {
  return healthAnswer(checks, { path: "healthz", verbose: true, exclude: [] }).body;
}

describe("the health of elections", () => {
  it("is healthy for a standby, and fails 20 s after the Lease of a supposed leader has expired", () => {
    const states: readonly [ProcessState["election"], string | undefined][] = [
      [undefined, undefined],
      [NOT_LEADING, undefined],
      [leadingSince(35_000), undefined],
      [leadingSince(36_000), "the Lease was last renewed 36 s ago"],
    ];
    for (const [election, expected] of states) {
      const checks = healthChecks(SETTINGS, { ...emptyState(), election });
      expect(checks.find(({ name }) => name === "leaderElection")?.check()).toBe(expected);
    }
  });

  it("is reported for each Lease separately (OW-8)", () => {
    const state = {
      ...emptyState(),
      election: leadingSince(1_000),
      migration: leadingSince(60_000),
    };
    expect(reported(healthChecks(MIGRATING, state))).toContain(
      "[+]leaderElection ok\n[-]leaderMigration failed: reason withheld\n",
    );
    const swapped = { ...state, election: state.migration, migration: state.election };
    expect(reported(healthChecks(MIGRATING, swapped))).toContain(
      "[-]leaderElection failed: reason withheld\n[+]leaderMigration ok (holds the Lease cloud-provider-extraction-migration)\n",
    );
  });

  it("reports what the second Lease waits for", () => {
    const lease = "the Lease cloud-provider-extraction-migration";
    const notes: readonly [Election | undefined, string][] = [
      [undefined, `does not compete for ${lease} until the main one is held`],
      [NOT_LEADING, `waits for ${lease}`],
      [{ ...NOT_LEADING, leader: "kcm_1" }, `waits for ${lease}, which kcm_1 holds`],
    ];
    for (const [migration, note] of notes) {
      const checks = healthChecks(MIGRATING, { ...emptyState(), migration });
      expect(reported(checks)).toContain(`[+]leaderMigration ok (${note})\n`);
    }
  });

  it("is not checked for an election that does not exist", () => {
    const flags = { ...defaults(), "leader-elect": false };
    expect(reported(healthChecks({ flags, migration: undefined }, emptyState()))).not.toContain(
      "leader",
    );
    const dry = { ...defaults(), "dry-run": true };
    const checks = healthChecks({ ...MIGRATING, flags: dry }, emptyState());
    expect(reported(checks)).not.toContain("leaderMigration");
  });
});

it.each<[string, number | undefined, string | undefined]>([
  ["serves", undefined, undefined],
  [
    "has refused every call for too long",
    Date.UTC(2026, 10, 22, 14),
    "the cloud has refused every call with 429 since 2026-11-22T14:00:00.000Z; one call is tried after each wait",
  ],
])("reports the health of a cloud that %s", (_title, closedSince, expected) => {
  const snapshot = { callsLastMinute: 0, throttledLastMinute: 0, closedSince };
  const rest = { allowedPerSecond: undefined, resumesAt: undefined, failingSince: undefined };
  const cloudBudget = { snapshot: () => ({ ...snapshot, ...rest }) };
  const checks = healthChecks(SETTINGS, { ...emptyState(), cloudBudget });
  expect(checks.find(({ name }) => name === "cloud")?.check()).toBe(expected);
});

it("keeps a process alive if the cloud refuses every call: after a restart it would request everything at once", () => {
  expect(reported(livenessChecks(SETTINGS, emptyState()))).not.toContain("cloud ");
});

it("a controller that hangs fails every health page, and the others are still listed (OW-9)", () => {
  const loops: HealthCheck[] = [
    { name: "cloud-node-controller", check: () => "it has been busy with n-1 for 3 minutes" },
    { name: "service-lb-controller", check: () => undefined },
  ];
  const leading: Leading = {
    term: { identity: "a", leaseTransitions: 0 },
    synced: async () => undefined,
    isIdle: () => false,
    unseen: () => [],
    checks: () => loops,
    controllers: () => [],
    controls: () => undefined,
    sendEvents: () => Promise.resolve([]),
    stop: async () => undefined,
  };
  const state = { ...emptyState(), leading };
  for (const checks of [healthChecks(SETTINGS, state), readinessChecks(SETTINGS, state)]) {
    expect(reported(checks)).toContain(
      "[-]cloud-node-controller failed: reason withheld\n[+]service-lb-controller ok\n",
    );
  }
});

it("reports how long each server's certificate is valid, and when its files cannot be used", () => {
  const shown = (server: ServedTls["server"], problem?: string): ServedTls => ({
    server,
    expiresAt: () => Date.parse("2027-03-01T10:00:00Z"),
    problem: () => problem,
    stop: () => undefined,
  });
  const certificates = [shown("https"), shown("webhooks", "tls.key cannot be read")];
  const body = reported(healthChecks(SETTINGS, { ...emptyState(), certificates }));
  expect(body).toContain("[+]certificate-https ok (good until 2027-03-01T10:00:00.000Z)\n");
  expect(body).toContain(
    "[+]certificate-webhooks ok (degraded, the last one is shown, good until 2027-03-01T10:00:00.000Z: tls.key cannot be read)\n",
  );
});
