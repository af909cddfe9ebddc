import { readFileSync, statSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ApiClient } from "./testing/api-client.ts";
import { startTestCluster, type TestCluster } from "./testing/test-cluster.ts";
import { WatchReader } from "./testing/watch-reader.ts";

const NODES = "/api/v1/nodes";
const NAMESPACES = "/api/v1/namespaces";
const MAPS = `${NAMESPACES}/default/configmaps`;
const MERGE = "application/merge-patch+json";

interface Item {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly deletionTimestamp?: string;
  };
}
interface List {
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
  readonly items: readonly Item[];
}

describe("the sandbox cluster", () => {
  let cluster: TestCluster;

  beforeEach(async () => {
    cluster = await startTestCluster();
  });
  afterEach(() => cluster.discard());

  const create = (path: string, name: string, more: object = {}) =>
    cluster.client.json<Item>("POST", path, { body: { metadata: { name }, ...more } });
  const label = (name: string, labels: object) =>
    cluster.client.json<Item>("PATCH", `${NODES}/${name}`, {
      body: { metadata: { labels } },
      contentType: MERGE,
    });
  const list = (path: string) => cluster.client.json<List>("GET", path);
  const watch = (path: string) => WatchReader.open(cluster.client, path);
  const admin = (method: string, path: string, body?: object) =>
    fetch(`${cluster.admin}${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

  it("begins with four namespaces and their default accounts", async () => {
    const { items } = await list(NAMESPACES);
    const names = items.map(({ metadata }) => metadata.name);
    expect(names).toEqual(["default", "kube-node-lease", "kube-public", "kube-system"]);
    const accounts = await list("/api/v1/serviceaccounts");
    expect(accounts.items).toHaveLength(4);
  });

  it("writes a kubeconfig for its owner alone", () => {
    expect(statSync(cluster.kubeconfig).mode & 0o777).toBe(0o600);
    expect(readFileSync(cluster.kubeconfig, "utf8")).toContain(cluster.server);
  });

  it("knows nobody without a token and refuses a wrong one", async () => {
    const { server, ca } = cluster.access;
    const nobody = new ApiClient({ server, ca });
    const foreign = new ApiClient({ server, ca, token: "wrong" });
    expect((await nobody.ask("GET", NODES)).status).toBe(403);
    expect((await nobody.ask("GET", "/readyz")).status).toBe(200);
    expect((await foreign.ask("GET", NODES)).status).toBe(401);
    await nobody.close();
    await foreign.close();
  });

  it("is the same cluster after a restart", async () => {
    const before = await create(NODES, "n1");
    const { server, token } = cluster;
    const uids = (await list(NAMESPACES)).items.map(({ metadata }) => metadata.uid);
    cluster = await cluster.restart();
    expect([cluster.server, cluster.token]).toEqual([server, token]);
    expect(await cluster.client.json("GET", `${NODES}/n1`)).toEqual(before);
    expect((await list(NAMESPACES)).items.map(({ metadata }) => metadata.uid)).toEqual(uids);
    const after = await create(NODES, "n2");
    expect(Number(after.metadata.resourceVersion)).toBeGreaterThan(
      Number(before.metadata.resourceVersion),
    );
  });

  it("goes on with a watch from before a restart", async () => {
    const { metadata } = await create(NODES, "n1");
    await create(NODES, "n2");
    cluster = await cluster.restart();
    const events = await watch(`${NODES}?watch=1&resourceVersion=${metadata.resourceVersion}`);
    expect(await events.next()).toMatchObject({
      type: "ADDED",
      object: { metadata: { name: "n2" } },
    });
    events.close();
  });

  it("makes no new version of a write that changes nothing", async () => {
    const created = await create(NODES, "n1");
    await label("n1", { a: "b" });
    const once = await label("n1", { a: "b" });
    const twice = await label("n1", { a: "b" });
    expect(once.metadata.resourceVersion).not.toBe(created.metadata.resourceVersion);
    expect(twice.metadata.resourceVersion).toBe(once.metadata.resourceVersion);
  });

  it("lets one of two writers with the same version win", async () => {
    const { metadata } = await create(NODES, "n1");
    const body = { metadata: { name: "n1", resourceVersion: metadata.resourceVersion } };
    const write = (value: string) =>
      cluster.client.ask("PUT", `${NODES}/n1`, {
        body: { ...body, spec: { providerID: `a://${value}` } },
      });
    const codes = (await Promise.all([write("x"), write("y")])).map(({ status }) => status);
    expect(codes.sort((left, right) => left - right)).toEqual([200, 409]);
  });

  describe("pages", () => {
    const names = ["n1", "n2", "n3"];

    beforeEach(async () => {
      for (const name of names) await create(NODES, name);
    });

    it("show one moment over all pages, whatever happens in between", async () => {
      const first = await list(`${NODES}?limit=2`);
      await cluster.client.ask("DELETE", `${NODES}/n3`);
      await create(NODES, "n4");
      const token = encodeURIComponent(first.metadata.continue ?? "");
      const second = await list(`${NODES}?limit=2&continue=${token}`);
      const seen = [...first.items, ...second.items].map(({ metadata }) => metadata.name);
      expect(seen).toEqual(names);
      expect(second.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
      expect(second.metadata.continue).toBeUndefined();
    });

    it("expire with the history and can be carried on inconsistently", async () => {
      const first = await list(`${NODES}?limit=2`);
      await cluster.client.ask("DELETE", `${NODES}/n3`);
      await create(NODES, "n4");
      await admin("POST", "/admin/compact");
      const token = encodeURIComponent(first.metadata.continue ?? "");
      const refused = await cluster.client.ask("GET", `${NODES}?continue=${token}`);
      expect(refused.status).toBe(410);
      const status: { reason: string; metadata: { continue: string } } = JSON.parse(refused.text);
      expect(status.reason).toBe("Expired");
      const rest = await list(`${NODES}?continue=${encodeURIComponent(status.metadata.continue)}`);
      expect(rest.items.map(({ metadata }) => metadata.name)).toEqual(["n4"]);
    });

    it("show an exact version while the history has it", async () => {
      const { metadata } = await list(NODES);
      await cluster.client.ask("DELETE", `${NODES}/n1`);
      const exact = `resourceVersion=${metadata.resourceVersion}&resourceVersionMatch=Exact`;
      expect((await list(`${NODES}?${exact}`)).items).toHaveLength(3);
      await admin("POST", "/admin/compact");
      expect((await cluster.client.ask("GET", `${NODES}?${exact}`)).status).toBe(410);
    });

    it("refuse a version from the future", async () => {
      const overridden = await cluster.client.ask("GET", `${NODES}?resourceVersion=999999`);
      expect(overridden.status).toBe(504);
      expect(overridden.text).toContain("Too large resource version");
    });
  });

  describe("watches", () => {
    it("report what happens, in order, to everybody", async () => {
      const [one, two] = await Promise.all([watch(`${NODES}?watch=1`), watch(`${NODES}?watch=1`)]);
      await create(NODES, "n1");
      await label("n1", { a: "b" });
      await cluster.client.ask("DELETE", `${NODES}/n1`);
      for (const events of [one, two]) {
        const types = [await events.next(), await events.next(), await events.next()];
        expect(types.map(({ type }) => type)).toEqual(["ADDED", "MODIFIED", "DELETED"]);
        events.close();
      }
    });

    it("show what enters and leaves a selector's sight as added and deleted", async () => {
      await create(NODES, "n1");
      const events = await watch(`${NODES}?watch=1&labelSelector=a%3Db`);
      await label("n1", { a: "b" });
      await label("n1", { a: "c" });
      const added = await events.next();
      const left = await events.next();
      expect(added).toMatchObject({ type: "ADDED", object: { metadata: { labels: { a: "b" } } } });
      expect(left).toMatchObject({ type: "DELETED", object: { metadata: { labels: { a: "b" } } } });
      events.close();
    });

    it("end the initial events with a bookmark that says so", async () => {
      await create(NODES, "n1");
      const query = "watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan";
      const events = await watch(`${NODES}?${query}&allowWatchBookmarks=true`);
      expect(await events.next()).toMatchObject({ type: "ADDED" });
      expect(await events.next()).toMatchObject({
        type: "BOOKMARK",
        object: {
          kind: "Node",
          metadata: { annotations: { "k8s.io/initial-events-end": "true" } },
        },
      });
      events.close();
    });

    it("end with an ERROR event when the history is gone", async () => {
      await create(NODES, "n1");
      await admin("POST", "/admin/compact");
      const events = await watch(`${NODES}?watch=1&resourceVersion=1`);
      expect(await events.next()).toMatchObject({
        type: "ERROR",
        object: { kind: "Status", code: 410, reason: "Expired" },
      });
      expect(await events.ended()).toBe("ended");
    });

    it("end after their timeout, with a last bookmark", async () => {
      const events = await watch(`${NODES}?watch=1&timeoutSeconds=1&allowWatchBookmarks=true`);
      expect(await events.next()).toMatchObject({ type: "BOOKMARK" });
      expect(await events.ended()).toBe("ended");
    });

    it("break off when set to be cut", async () => {
      const events = await watch(`${NODES}?watch=1`);
      const cut = await (await admin("POST", "/admin/cut-watches")).json();
      expect(cut).toEqual({ cut: 1 });
      expect(await events.ended()).toBe("broken");
    });

    it("show tables, their columns with the first event alone", async () => {
      const events = await WatchReader.open(cluster.client, `${NODES}?watch=1`, {
        accept: "application/json;as=Table;v=v1;g=meta.k8s.io",
      });
      await create(NODES, "n1");
      await create(NODES, "n2");
      expect(await events.next()).toMatchObject({
        object: {
          kind: "Table",
          columnDefinitions: [{ name: "Name" }, { name: "Status" }, {}, {}, {}, {}, {}, {}, {}, {}],
        },
      });
      expect(await events.next()).toMatchObject({
        object: { kind: "Table", columnDefinitions: null },
      });
      events.close();
    });
  });

  it("empties a deleted namespace and waits for what finalizers hold", async () => {
    await create(NAMESPACES, "team");
    const maps = `${NAMESPACES}/team/configmaps`;
    await create(maps, "free");
    await cluster.client.ask("POST", maps, {
      body: { metadata: { name: "held", finalizers: ["a.b/c"] } },
    });
    const events = await watch(`${NAMESPACES}?watch=1&fieldSelector=metadata.name%3Dteam`);
    await events.next();
    const version = (await list(maps)).metadata.resourceVersion;
    const contents = await watch(`${maps}?watch=1&resourceVersion=${version}`);
    await cluster.client.ask("DELETE", `${NAMESPACES}/team`);
    expect(await events.next()).toMatchObject({ object: { status: { phase: "Terminating" } } });
    expect(await contents.next()).toMatchObject({
      type: "DELETED",
      object: { metadata: { name: "free" } },
    });
    expect(await contents.next()).toMatchObject({
      type: "MODIFIED",
      object: { metadata: { name: "held" } },
    });
    const refused = await cluster.client.ask("POST", maps, {
      body: { metadata: { name: "late" } },
    });
    expect(refused.status).toBe(403);
    await cluster.client.ask("PATCH", `${maps}/held`, {
      body: { metadata: { finalizers: null } },
      contentType: MERGE,
    });
    expect(await events.next()).toMatchObject({ type: "DELETED" });
    expect((await cluster.client.ask("GET", `${NAMESPACES}/team`)).status).toBe(404);
    contents.close();
    events.close();
  });

  it("refuses server-side apply with a reason", async () => {
    await create(NODES, "n1");
    const overridden = await cluster.client.ask("PATCH", `${NODES}/n1?fieldManager=x`, {
      body: { apiVersion: "v1", kind: "Node" },
      contentType: "application/apply-patch+yaml",
    });
    expect(overridden.status).toBe(415);
    expect(overridden.text).toContain("no server-side apply");
  });

  it("refuses a body that is too large", async () => {
    const overridden = await cluster.client.ask("POST", MAPS, {
      body: { metadata: { name: "big" }, data: { a: "x".repeat(4 * 1_024 * 1_024) } },
    });
    expect(overridden.status).toBe(413);
  });

  it("answers a client that prefers protobuf in JSON", async () => {
    const overridden = await cluster.client.ask("GET", NODES, {
      accept: "application/vnd.kubernetes.protobuf,application/json",
    });
    expect(overridden.headers["content-type"]).toBe("application/json");
  });

  it("warns of unknown fields and drops them", async () => {
    const overridden = await cluster.client.ask("POST", MAPS, {
      body: { metadata: { name: "x" }, dta: { a: "b" } },
    });
    expect(overridden.headers.warning).toBe('299 - "unknown field \\"dta\\""');
    expect(JSON.parse(overridden.text)).not.toHaveProperty("dta");
  });

  it("fails as configured, and logs it", async () => {
    await admin("PUT", "/admin/faults", {
      rules: [{ verb: "get", path: `${NODES}/*`, status: 429, retryAfter: 3, times: 1 }],
    });
    const failed = await cluster.client.ask("GET", `${NODES}/n1`);
    expect([failed.status, failed.headers["retry-after"]]).toEqual([429, "3"]);
    expect((await cluster.client.ask("GET", `${NODES}/n1`)).status).toBe(404);
    const logged = await (await admin("GET", "/admin/requests")).json();
    expect(logged).toMatchObject({
      requests: [
        {
          method: "GET",
          verb: "get",
          path: `${NODES}/n1`,
          user: "admin",
          code: 429,
          decision: "allow",
          userAgent: "sandbox-test",
        },
        { code: 404 },
      ],
    });
    expect((await admin("PUT", "/admin/faults", { rules: [{}] })).status).toBe(400);
  });

  it("answers a delayed request after all, and one that hangs never", async () => {
    await admin("PUT", "/admin/faults", {
      rules: [
        { verb: "get", latencyMs: 5, times: 1 },
        { verb: "list", hang: true },
      ],
    });
    expect((await cluster.client.ask("GET", "/api/v1/namespaces/default")).status).toBe(200);
    const hanging = cluster.client.ask("GET", NODES).catch(() => "broken off");
    await vi.waitFor(async () => {
      const logged = await (await admin("GET", "/admin/requests")).json();
      expect(logged).toMatchObject({ requests: [{ code: 200 }, { verb: "list", code: 0 }] });
    });
    await cluster.client.close();
    expect(await hanging).toBe("broken off");
  });

  it("logs the body of a write but for secrets", async () => {
    await create(MAPS, "x", { data: { a: "seen" } });
    await create(`${NAMESPACES}/default/secrets`, "s", { stringData: { a: "unseen" } });
    const logged = await (await admin("GET", "/admin/requests")).text();
    expect(logged).toContain("seen");
    expect(logged).not.toContain("unseen");
    expect((await admin("DELETE", "/admin/requests")).status).toBe(204);
    expect(await (await admin("GET", "/admin/requests")).json()).toEqual({ requests: [] });
  });

  it("issues tokens that end with their account", async () => {
    const account = `${NAMESPACES}/default/serviceaccounts/robot`;
    await create(`${NAMESPACES}/default/serviceaccounts`, "robot");
    const { status } = await cluster.client.json<{ status: { token: string } }>(
      "POST",
      `${account}/token`,
      { body: { spec: { expirationSeconds: 600 } } },
    );
    const robot = new ApiClient({ ...cluster.access, token: status.token });
    const review = await robot.json<{
      metadata: { creationTimestamp: string };
      status: object;
    }>("POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", { body: {} });
    expect(review.metadata.creationTimestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(review.status).toMatchObject({
      userInfo: { username: "system:serviceaccount:default:robot" },
    });
    await cluster.client.ask("DELETE", account);
    expect((await robot.ask("GET", NODES)).status).toBe(401);
    await robot.close();
  });
});

describe("the sandbox cluster with roles", () => {
  let cluster: TestCluster;

  beforeEach(async () => {
    cluster = await startTestCluster({ rbac: true });
  });
  afterEach(() => cluster.discard());

  it("lets others do what their roles say and no more", async () => {
    const rbac = "/apis/rbac.authorization.k8s.io/v1";
    const bob = { "impersonate-user": "bob" };
    const post = (path: string, body: object) => cluster.client.ask("POST", path, { body });
    await post(`${rbac}/clusterroles`, {
      metadata: { name: "node:reader" },
      rules: [{ verbs: ["get", "list"], apiGroups: [""], resources: ["nodes"] }],
    });
    const before = await cluster.client.ask("GET", NODES, { headers: bob });
    await post(`${rbac}/clusterrolebindings`, {
      metadata: { name: "bob" },
      subjects: [{ kind: "User", name: "bob" }],
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "node:reader" },
    });
    const after = await cluster.client.ask("GET", NODES, { headers: bob });
    const write = await cluster.client.ask("POST", NODES, {
      body: { metadata: { name: "n" } },
      headers: bob,
    });
    expect([before.status, after.status, write.status]).toEqual([403, 200, 403]);
    expect(write.text).toContain('User \\"bob\\" cannot create resource \\"nodes\\"');
  });

  it("lets a role by name list and watch that one object alone", async () => {
    const rbac = "/apis/rbac.authorization.k8s.io/v1/namespaces/default";
    const maps = "/api/v1/namespaces/default/configmaps";
    const ann = { "impersonate-user": "ann" };
    const post = (path: string, body: object) => cluster.client.ask("POST", path, { body });
    await post(`${rbac}/roles`, {
      metadata: { name: "one" },
      rules: [
        { verbs: ["list"], apiGroups: [""], resources: ["configmaps"], resourceNames: ["one"] },
      ],
    });
    await post(`${rbac}/rolebindings`, {
      metadata: { name: "ann" },
      subjects: [{ kind: "User", name: "ann" }],
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "one" },
    });
    const ask = async (selector: string) =>
      (await cluster.client.ask("GET", `${maps}${selector}`, { headers: ann })).status;
    expect(await ask("?fieldSelector=metadata.name%3Done")).toBe(200);
    expect(await ask("?fieldSelector=metadata.name%3Dtwo")).toBe(403);
    expect(await ask("")).toBe(403);
  });
});
