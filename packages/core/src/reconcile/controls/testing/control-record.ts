import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from "vitest";
import { loadKubeConfig } from "../../../kube/access/kubeconfig.ts";
import { createKubeClient, type KubeConnection } from "../../../kube/calls/kube-client.ts";
import { CONFIG_MAPS, type KubeClient } from "../../../kube/client.ts";
import { systemClock } from "../../../kube/system-clock.ts";
import { startTestCluster, type TestCluster } from "../../../kube/testing/test-cluster.ts";
import type { ControlAction, RequestedAction } from "../../../model/actions/action.ts";
import type { AuditEntry } from "../../../model/audit/audit.ts";
import type { ControllerName } from "../../../model/controller-names.ts";
import type { LedgerRecord } from "../../../model/records/record.ts";
import { createManualClock } from "../../../model/testing/manual-clock.ts";
import { type Controls, openControls } from "../open-controls.ts";
import { FLAGS } from "./setting-flags.ts";

export const NODE_LOOP: ControllerName = "cloud-node-controller";
const LIFECYCLE: ControllerName = "cloud-node-lifecycle-controller";

/**
 * Provides the control record on a real API server, in a namespace of its own for each test, and leaders that open
 * it.
 */
export function useControlRecord(folder: string) {
  const server = useNamespaces(folder);
  const clock = createManualClock();
  const records: LedgerRecord[] = [];
  const events: string[] = [];
  const problems: string[] = [];
  const notices: string[] = [];
  const opened: Controls[] = [];

  beforeEach(() => {
    for (const list of [records, events, problems, notices]) list.length = 0;
  });
  afterEach(() => closeAll());

  /** Opens the record like a leader at the start of its term. */
  async function open(
    client: Pick<KubeClient, "get" | "create" | "update"> = server.admin,
    more: { readonly dryRun?: boolean } = {},
  ): Promise<Controls> {
    const controls = await openControls({
      client,
      namespace: server.namespace,
      clock,
      random: () => 0.5,
      recorder: { append: (record) => records.push(record) },
      events: { event: ({ kind, name }, { reason }) => events.push(`${kind}/${name} ${reason}`) },
      identity: { cluster: "c-1", instance: "host_1" },
      controllers: new Set([NODE_LOOP, LIFECYCLE]),
      flags: FLAGS,
      onSetting: ({ setting, value }) => notices.push(`${setting} ${value}`),
      nodes: { count: () => 20, mayBeThere: ({ name }) => name !== "vanished" },
      dryRun: false,
      onProblem: (problem) => problems.push(problem),
      signal: new AbortController().signal,
      ...more,
    });
    opened.push(controls);
    return controls;
  }

  async function closeAll(): Promise<void> {
    await Promise.all(opened.splice(0).map((controls) => controls.close()));
  }

  const audits = (): readonly (readonly [AuditEntry["action"], string])[] =>
    records.flatMap((each) => (each.type === "audit" ? [[each.action, each.result] as const] : []));
  return { server, clock, events, problems, notices, open, closeAll, audits };
}

/** Starts one API server for the file, with a new namespace for the record in each test. */
function useNamespaces(folder: string) {
  let cluster: TestCluster;
  let admin: KubeConnection;
  let namespace = "";
  let namespaces = 0;
  beforeAll(async () => {
    cluster = await startTestCluster(folder);
    admin = await connect(cluster.kubeconfig);
  });
  afterAll(async () => {
    await admin.close();
    await cluster.stop();
  });
  beforeEach(async () => {
    namespaces += 1;
    namespace = `controls-${namespaces}`;
    await cluster.kubectl("create", "namespace", namespace);
  });
  const record = () => ({ resource: CONFIG_MAPS, namespace, name: "cloudwright-controls" });
  return {
    get cluster() {
      return cluster;
    },
    get admin() {
      return admin;
    },
    get namespace() {
      return namespace;
    },
    async data(): Promise<Record<string, string>> {
      return ((await admin.get(record())) as { data?: Record<string, string> }).data ?? {};
    },
    /** Changes the record like a user of kubectl. */
    async edit(patch: object): Promise<void> {
      await admin.patch(record(), { kind: "merge", body: patch });
    },
  };
}

/** Holds `count` nodes after the five that the guard lets through. */
export async function trip(
  { guard }: Controls,
  count: number,
  data: () => Promise<Record<string, string>>,
): Promise<void> {
  for (let index = 1; index <= 5; index++) expect(await guard.take(node(`d${index}`))).toBe(true);
  for (let index = 1; index <= count; index++) guard.waits(node(`h${index}`), "It is gone.");
  await vi.waitFor(async () => expect((await data())["deletion-guard"]).toContain(`uid-h${count}`));
}

export async function connect(kubeconfig: string): Promise<KubeConnection> {
  const access = await loadKubeConfig({ kubeconfig, clock: systemClock });
  return createKubeClient({ access, qps: 0, burst: 1, clock: systemClock, userAgent: "test" });
}

export function carryOut(controls: Controls, action: ControlAction, intentId?: string) {
  const name = action.kind === "pause" || action.kind === "resume" ? NODE_LOOP : LIFECYCLE;
  return controls.target.carryOut(
    { requested: requestedAction(action, intentId), object: { kind: "Controller", name } },
    new AbortController().signal,
  );
}

export function requestedAction(
  action: ControlAction,
  intentId = "i-1",
): RequestedAction<ControlAction> {
  return { action, intentId, by: "ana", why: "INC-88" };
}

export function node(name: string) {
  return { name, uid: `uid-${name}` };
}
