import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { loadKubeConfig } from "./access/kubeconfig.ts";
import { createKubeClient, type KubeConnection } from "./calls/kube-client.ts";
import {
  CONFIG_MAPS,
  EVENTS,
  type KubeObject,
  LEASES,
  type Lease,
  NAMESPACES,
  NODES,
  type Node,
} from "./client.ts";
import { createEventRecorder } from "./events/events.ts";
import { startInformer } from "./informer/informer.ts";
import { stripNode } from "./informer/strip.ts";
import { type Election, type ElectionOptions, runElection } from "./lease/election.ts";
import { holderOf } from "./lease/lease-record.ts";
import { systemClock, systemRandom } from "./system-clock.ts";
import { startTestCluster, type TestCluster, testClusterFolder } from "./testing/test-cluster.ts";

const WAIT = { timeout: 50_000, interval: 20 };
const folder = testClusterFolder();

interface ConfigMap extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}
interface EventRecord extends KubeObject {
  readonly reason?: string;
  readonly message?: string;
  readonly count?: number;
}

describe.skipIf(folder === undefined)("on a real API server", () => {
  let cluster: TestCluster;
  let client: KubeConnection;
  const started: (() => Promise<void>)[] = [];
  const closers: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    cluster = await startTestCluster(folder ?? "");
    started.push(cluster.stop);
    client = await connect(cluster.kubeconfig);
    started.push(client.close);
  });
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });
  afterAll(async () => {
    for (const stop of started.reverse()) await stop();
  });

  async function connect(kubeconfig: string): Promise<KubeConnection> {
    const access = await loadKubeConfig({ kubeconfig, clock: systemClock });
    const options = { access, qps: 0, burst: 1, clock: systemClock, userAgent: "cloudwright-test" };
    return createKubeClient(options);
  }

  function nodeNamed(name: string): Node {
    return { apiVersion: "v1", kind: "Node", metadata: { name }, spec: {}, status: {} };
  }

  async function createNode(name: string): Promise<Node> {
    const node = await client.create<Node>({ resource: NODES }, nodeNamed(name));
    closers.push(() => client.delete({ resource: NODES, name }, {}).catch(() => undefined));
    return node;
  }

  it("finds the cluster's identity and version", async () => {
    const system = await client.get<KubeObject>({ resource: NAMESPACES, name: "kube-system" });
    expect(system.metadata?.uid).toMatch(/^[0-9a-f-]{36}$/);
    expect(JSON.parse(await client.raw("/version"))).toMatchObject({ major: "1" });
    expect(await client.raw("/healthz")).toBe("ok");
  });

  it("reports the code for the API server's reason", async () => {
    await createNode("codes");
    const node = { resource: NODES, name: "codes" };
    const old = { ...nodeNamed("codes"), metadata: { name: "codes", resourceVersion: "1" } };
    const wrongLabel = { metadata: { labels: { a: "%%" } } };
    const nonsense = { query: { limit: "1", continue: "nonsense" } };
    const cases = [
      [() => client.get({ resource: NODES, name: "none" }), "NotFound"],
      [() => client.create({ resource: NODES }, nodeNamed("codes")), "AlreadyExists"],
      [() => client.update(node, old), "Conflict"],
      [() => client.patch(node, { kind: "merge", body: wrongLabel }), "Invalid"],
      [() => client.patch(node, { kind: "merge", body: "no object" }), "Invalid"],
      [() => client.list({ resource: NODES }, nonsense), "Invalid"],
      [() => client.delete(node, { uid: "another" }), "Conflict"],
      [() => client.delete(node, { resourceVersion: "1" }), "Conflict"],
    ] as const;
    for (const [call, code] of cases) await expect(call()).rejects.toMatchObject({ code });
  });

  it.each([
    ["json", (uid: string) => [{ op: "test", path: "/metadata/uid", value: uid }]],
    ["merge", (uid: string) => ({ metadata: { uid } })],
    ["strategic", (uid: string) => ({ metadata: { uid } })],
  ] as const)(
    "reports a %s patch for another object of that name as a conflict",
    async (kind, bodyFor) => {
      const { metadata } = await createNode("patched");
      const node = { resource: NODES, name: "patched" };
      const status = { ...node, subresource: "status" } as const;
      for (const target of [node, status]) {
        await client.patch(target, { kind, body: bodyFor(metadata?.uid ?? "") });
        await expect(
          client.patch(target, { kind, body: bodyFor("another") }),
        ).rejects.toMatchObject({
          code: "Conflict",
        });
      }
    },
  );

  it("reports a JSON patch that tests taints as a conflict when they changed", async () => {
    await createNode("tainted");
    const node = { resource: NODES, name: "tainted" };
    const read = await client.get<Node>(node);
    const taints = read.spec?.taints ?? [];
    const patch = {
      kind: "json",
      body: [
        { op: "test", path: "/spec/taints", value: taints },
        { op: "add", path: "/spec/providerID", value: "sandbox://i-1" },
      ],
    } as const;
    await cluster.kubectl("taint", "node", "tainted", "a=b:NoSchedule");
    await expect(client.patch(node, patch)).rejects.toMatchObject({ code: "Conflict" });
    await cluster.kubectl("taint", "node", "tainted", "a-");
    expect((await client.patch<Node>(node, patch)).spec?.providerID).toBe("sandbox://i-1");
  });

  it("reports a verb that is not granted", async () => {
    const nobody = await connect(await cluster.kubeconfigOf("nobody"));
    closers.push(() => nobody.close());
    await expect(nobody.list({ resource: NODES })).rejects.toMatchObject({
      code: "Forbidden",
      message: expect.stringContaining('cannot list resource "nodes"'),
    });
  });

  it("keeps its cache of nodes in sync through pages, changes and an outage of the API server", async () => {
    const end = new AbortController();
    closers.push(async () => end.abort());
    const pool = Array.from({ length: 600 }, (_, index) => `pool-${index}`);
    await Promise.all(pool.map((name) => client.create({ resource: NODES }, nodeNamed(name))));
    const errors: unknown[] = [];
    const nodes = startInformer<Node>({
      client,
      resource: NODES,
      strip: stripNode,
      indexes: { providerID: (node) => [node.spec?.providerID ?? ""] },
      clock: systemClock,
      random: systemRandom,
      signal: end.signal,
      onError: (error) => errors.push(error),
    });
    await nodes.synced;
    expect(nodes.list()).toHaveLength(600);
    expect(nodes.get("pool-7")?.metadata).not.toHaveProperty("managedFields");

    await client.patch(
      { resource: NODES, name: "pool-7" },
      { kind: "strategic", body: { spec: { providerID: "sandbox://i-7" } } },
    );
    await expect.poll(() => nodes.byIndex("providerID", "sandbox://i-7").length, WAIT).toBe(1);

    process.kill(await cluster.apiServerPid(), "SIGKILL");
    await expect.poll(() => errors.length, WAIT).toBeGreaterThan(0);
    const whenBack = () => client.delete({ resource: NODES, name: "pool-8" }, {});
    await expect.poll(() => whenBack().then(...okOrGone), WAIT).toBe(true);
    await expect.poll(() => nodes.get("pool-8"), WAIT).toBeUndefined();
    expect(nodes.list()).toHaveLength(599);
    await cluster.kubectl("delete", "nodes", "--all", "--wait=false");
    await expect.poll(() => nodes.list().length, WAIT).toBe(0);
  });

  it("follows one object by its name", async () => {
    const end = new AbortController();
    closers.push(async () => end.abort());
    const target = { resource: CONFIG_MAPS, namespace: "default" };
    const create = (name: string) =>
      client.create<ConfigMap>(target, { metadata: { name }, data: { a: "1" } });
    await Promise.all([create("followed"), create("other")]);
    const informer = startInformer<ConfigMap>({
      client,
      ...target,
      fieldSelector: "metadata.name=followed",
      clock: systemClock,
      random: systemRandom,
      signal: end.signal,
    });
    const kinds: string[] = [];
    informer.subscribe((event) => kinds.push(event.kind));
    await informer.synced;
    await client.patch({ ...target, name: "other" }, { kind: "merge", body: { data: { a: "2" } } });
    await client.patch(
      { ...target, name: "followed" },
      { kind: "merge", body: { data: { a: "2" } } },
    );
    await client.delete({ ...target, name: "followed" }, {});
    await expect.poll(() => kinds, WAIT).toEqual(["added", "updated", "deleted"]);
    expect(informer.list()).toEqual([]);
  });

  it("writes Events that kubectl shows, counts them, and loses none of a burst", async () => {
    const { metadata } = await createNode("reported");
    const recorder = createEventRecorder({
      client,
      source: "cloud-node-controller",
      instance: "host_1",
      clock: systemClock,
      random: systemRandom,
    });
    const node = { apiVersion: "v1", kind: "Node", name: "reported", uid: metadata?.uid ?? "" };
    const text = { type: "Normal", reason: "Synced", message: "Node synced successfully" } as const;
    recorder.event(node, text);
    expect(await recorder.flush(30_000)).toEqual([]);
    recorder.event(node, text);
    expect(await recorder.flush(30_000)).toEqual([]);
    const shown = await cluster.kubectl("describe", "node", "reported");
    expect(shown).toMatch(
      /Normal +Synced +.*x2.* +cloud-node-controller +Node synced successfully/,
    );

    for (let index = 0; index < 500; index += 1) {
      recorder.event({ ...node, name: `reported-${index}`, uid: `u-${index}` }, text);
    }
    expect(await recorder.flush(50_000)).toEqual([]);
    expect(recorder.dropped).toBe(0);
    const query = { fieldSelector: "reason=Synced" };
    const events = await client.list<EventRecord>(
      { resource: EVENTS, namespace: "default" },
      { query },
    );
    expect(events.items).toHaveLength(501);
  });

  describe("an election", () => {
    const lease = { resource: LEASES, namespace: "kube-system" };

    async function stand(name: string, identity: string, change: Partial<ElectionOptions> = {}) {
      const connection = change.client ?? (await connect(cluster.kubeconfig));
      const log: string[] = [];
      const errors: unknown[] = [];
      const election: Election = runElection({
        client: connection,
        namespace: "kube-system",
        name,
        identity,
        timings: { leaseDurationMs: 6_000, renewDeadlineMs: 4_000, retryPeriodMs: 500 },
        clock: systemClock,
        random: systemRandom,
        onStartedLeading: (term) => log.push(`started ${term.leaseTransitions}`),
        onStoppedLeading: (reason) => log.push(`stopped ${reason}`),
        onError: (error) => errors.push(error),
        ...change,
      });
      closers.push(async () => {
        await election.stop();
        await connection.close();
      });
      return { election, log, errors };
    }

    it("has one leader of two, which hands over when it releases the Lease", async () => {
      const recorder = createEventRecorder({
        client,
        source: "cloud-controller-manager",
        instance: "one",
        clock: systemClock,
        random: systemRandom,
      });
      const one = await stand("handed-over", "one", { events: recorder });
      await expect.poll(() => one.election.isLeader(), WAIT).toBe(true);
      const two = await stand("handed-over", "two");
      await expect.poll(() => two.election.leader, WAIT).toBe("one");
      expect(two.election.isLeader()).toBe(false);
      await one.election.stop();
      await expect.poll(() => two.election.isLeader(), WAIT).toBe(true);
      expect(one.log).toEqual(["started 0", "stopped released"]);
      expect(two.election.term?.leaseTransitions).toBe(1);
      expect([...one.errors, ...two.errors]).toEqual([]);

      await recorder.flush(30_000);
      const events = await client.list<EventRecord>(
        { resource: EVENTS, namespace: "kube-system" },
        { query: { fieldSelector: "involvedObject.name=handed-over" } },
      );
      expect(events.items.map((event) => event.message).sort()).toEqual([
        "one became leader",
        "one stopped leading",
      ]);
    });

    it("leaves a released Lease free", async () => {
      const one = await stand("released", "one");
      await expect.poll(() => one.election.isLeader(), WAIT).toBe(true);
      await one.election.stop();
      const { spec } = await client.get<Lease>({ ...lease, name: "released" });
      expect(spec).toMatchObject({ leaseDurationSeconds: 1, leaseTransitions: 0 });
      expect(spec?.holderIdentity ?? "").toBe("");
    });

    it("recreates a deleted Lease before the standby does, and goes on", async () => {
      const one = await stand("deleted", "one");
      await expect.poll(() => one.election.isLeader(), WAIT).toBe(true);
      const two = await stand("deleted", "two");
      await expect.poll(() => two.election.leader, WAIT).toBe("one");
      await client.delete({ ...lease, name: "deleted" }, {});
      const holder = () =>
        client.get<Lease>({ ...lease, name: "deleted" }).then(holderOf, () => "nobody");
      await expect.poll(holder, WAIT).toBe("one");
      expect(one.election.isLeader()).toBe(true);
      expect(two.log).toEqual([]);
    });

    it("ends the term of a leader whose Lease somebody took", async () => {
      const one = await stand("taken", "one");
      await expect.poll(() => one.election.isLeader(), WAIT).toBe(true);
      await cluster.kubectl(
        ...["patch", "lease", "taken", "-n", "kube-system", "--type=merge"],
        ...["-p", '{"spec":{"holderIdentity":"somebody"}}'],
      );
      await expect.poll(() => one.log, WAIT).toEqual(["started 0", "stopped takenOver"]);
    });

    it("works without the right to watch, by polling", async () => {
      await cluster.kubectl(
        ...["create", "role", "poller", "-n", "kube-system", "--resource=leases"],
        "--verb=get,create,update",
      );
      await cluster.kubectl(
        ...["create", "rolebinding", "poller", "-n", "kube-system", "--role=poller"],
        "--user=poller",
      );
      const poller = await connect(await cluster.kubeconfigOf("poller"));
      const one = await stand("polled", "one");
      await expect.poll(() => one.election.isLeader(), WAIT).toBe(true);
      const two = await stand("polled", "two", { client: poller });
      await expect.poll(() => two.election.leader, WAIT).toBe("one");
      await one.election.stop();
      await expect.poll(() => two.election.isLeader(), WAIT).toBe(true);
      expect(two.errors).toMatchObject([{ code: "Forbidden" }]);
    });

    it("watches with the right to one Lease alone", async () => {
      await cluster.kubectl(
        ...["create", "role", "watcher", "-n", "kube-system", "--resource=leases"],
        ...["--resource-name=narrow", "--verb=get,update,list,watch"],
      );
      await cluster.kubectl(
        ...["create", "rolebinding", "watcher", "-n", "kube-system", "--role=watcher"],
        "--user=watcher",
      );
      const one = await stand("narrow", "one");
      await expect.poll(() => one.election.isLeader(), WAIT).toBe(true);
      const watcher = await connect(await cluster.kubeconfigOf("watcher"));
      const two = await stand("narrow", "two", { client: watcher });
      await expect.poll(() => two.election.leader, WAIT).toBe("one");
      expect(two.errors).toEqual([]);
    });
  });
});

/** For `then`: the API server answered, even if only that the object is gone. */
const okOrGone = [
  () => true,
  (error: unknown) => error instanceof Error && "code" in error && error.code === "NotFound",
] as const;
