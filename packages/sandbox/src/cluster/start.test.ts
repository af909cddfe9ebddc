import { readFileSync, statSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ApiClient } from "./testing/api-client.ts";
import { startTestCluster, type TestCluster } from "./testing/test-cluster.ts";
import { MERGE, NODES, useTestCluster } from "./testing/use-test-cluster.ts";

const NAMESPACES = "/api/v1/namespaces";
const MAPS = `${NAMESPACES}/default/configmaps`;

describe("the sandbox cluster", () => {
  const suite = useTestCluster();
  const { create, label, list, watch, admin } = suite;

  it("begins with four namespaces and their default accounts", async () => {
    const { items } = await list(NAMESPACES);
    const names = items.map(({ metadata }) => metadata.name);
    expect(names).toEqual(["default", "kube-node-lease", "kube-public", "kube-system"]);
    const accounts = await list("/api/v1/serviceaccounts");
    expect(accounts.items).toHaveLength(4);
  });

  it("writes a kubeconfig that only its owner can read", () => {
    expect(statSync(suite.cluster.kubeconfig).mode & 0o777).toBe(0o600);
    expect(readFileSync(suite.cluster.kubeconfig, "utf8")).toContain(suite.cluster.server);
  });

  it("knows no user without a token and refuses a wrong one", async () => {
    const { server, ca } = suite.cluster.access;
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
    const { server, token } = suite.cluster;
    const uids = (await list(NAMESPACES)).items.map(({ metadata }) => metadata.uid);
    await suite.restart();
    expect([suite.cluster.server, suite.cluster.token]).toEqual([server, token]);
    expect(await suite.cluster.client.json("GET", `${NODES}/n1`)).toEqual(before);
    expect((await list(NAMESPACES)).items.map(({ metadata }) => metadata.uid)).toEqual(uids);
    const after = await create(NODES, "n2");
    expect(Number(after.metadata.resourceVersion)).toBeGreaterThan(
      Number(before.metadata.resourceVersion),
    );
  });

  it("continues a watch from before a restart", async () => {
    const { metadata } = await create(NODES, "n1");
    await create(NODES, "n2");
    await suite.restart();
    const events = await watch(`${NODES}?watch=1&resourceVersion=${metadata.resourceVersion}`);
    expect(await events.next()).toMatchObject({
      type: "ADDED",
      object: { metadata: { name: "n2" } },
    });
    events.close();
  });

  it("creates no new version for a write that changes nothing", async () => {
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
      suite.cluster.client.ask("PUT", `${NODES}/n1`, {
        body: { ...body, spec: { providerID: `a://${value}` } },
      });
    const codes = (await Promise.all([write("x"), write("y")])).map(({ status }) => status);
    expect(codes.sort((left, right) => left - right)).toEqual([200, 409]);
  });

  it("empties a deleted namespace and waits for what finalizers hold", async () => {
    await create(NAMESPACES, "team");
    const maps = `${NAMESPACES}/team/configmaps`;
    await create(maps, "free");
    await suite.cluster.client.ask("POST", maps, {
      body: { metadata: { name: "held", finalizers: ["a.b/c"] } },
    });
    const events = await watch(`${NAMESPACES}?watch=1&fieldSelector=metadata.name%3Dteam`);
    await events.next();
    const version = (await list(maps)).metadata.resourceVersion;
    const contents = await watch(`${maps}?watch=1&resourceVersion=${version}`);
    await suite.cluster.client.ask("DELETE", `${NAMESPACES}/team`);
    expect(await events.next()).toMatchObject({ object: { status: { phase: "Terminating" } } });
    expect(await contents.next()).toMatchObject({
      type: "DELETED",
      object: { metadata: { name: "free" } },
    });
    expect(await contents.next()).toMatchObject({
      type: "MODIFIED",
      object: { metadata: { name: "held" } },
    });
    const refused = await suite.cluster.client.ask("POST", maps, {
      body: { metadata: { name: "late" } },
    });
    expect(refused.status).toBe(403);
    await suite.cluster.client.ask("PATCH", `${maps}/held`, {
      body: { metadata: { finalizers: null } },
      contentType: MERGE,
    });
    expect(await events.next()).toMatchObject({ type: "DELETED" });
    expect((await suite.cluster.client.ask("GET", `${NAMESPACES}/team`)).status).toBe(404);
    contents.close();
    events.close();
  });

  it("refuses server-side apply with a reason", async () => {
    await create(NODES, "n1");
    const overridden = await suite.cluster.client.ask("PATCH", `${NODES}/n1?fieldManager=x`, {
      body: { apiVersion: "v1", kind: "Node" },
      contentType: "application/apply-patch+yaml",
    });
    expect(overridden.status).toBe(415);
    expect(overridden.text).toContain("no server-side apply");
  });

  it("refuses a body that is too large", async () => {
    const overridden = await suite.cluster.client.ask("POST", MAPS, {
      body: { metadata: { name: "big" }, data: { a: "x".repeat(4 * 1_024 * 1_024) } },
    });
    expect(overridden.status).toBe(413);
  });

  it("answers a client that prefers protobuf in JSON", async () => {
    const overridden = await suite.cluster.client.ask("GET", NODES, {
      accept: "application/vnd.kubernetes.protobuf,application/json",
    });
    expect(overridden.headers["content-type"]).toBe("application/json");
  });

  it("warns of unknown fields and drops them", async () => {
    const overridden = await suite.cluster.client.ask("POST", MAPS, {
      body: { metadata: { name: "x" }, dta: { a: "b" } },
    });
    expect(overridden.headers.warning).toBe('299 - "unknown field \\"dta\\""');
    expect(JSON.parse(overridden.text)).not.toHaveProperty("dta");
  });

  it("fails as configured, and logs it", async () => {
    await admin("PUT", "/admin/faults", {
      rules: [{ verb: "get", path: `${NODES}/*`, status: 429, retryAfter: 3, times: 1 }],
    });
    const failed = await suite.cluster.client.ask("GET", `${NODES}/n1`);
    expect([failed.status, failed.headers["retry-after"]]).toEqual([429, "3"]);
    expect((await suite.cluster.client.ask("GET", `${NODES}/n1`)).status).toBe(404);
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

  it("answers a delayed request eventually, and a hanging one never", async () => {
    await admin("PUT", "/admin/faults", {
      rules: [
        { verb: "get", latencyMs: 5, times: 1 },
        { verb: "list", hang: true },
      ],
    });
    expect((await suite.cluster.client.ask("GET", "/api/v1/namespaces/default")).status).toBe(200);
    const hanging = suite.cluster.client.ask("GET", NODES).catch(() => "broken off");
    await vi.waitFor(async () => {
      const logged = await (await admin("GET", "/admin/requests")).json();
      expect(logged).toMatchObject({ requests: [{ code: 200 }, { verb: "list", code: 0 }] });
    });
    await suite.cluster.client.close();
    expect(await hanging).toBe("broken off");
  });

  it("logs the body of a write, except for secrets", async () => {
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
    const { status } = await suite.cluster.client.json<{ status: { token: string } }>(
      "POST",
      `${account}/token`,
      { body: { spec: { expirationSeconds: 600 } } },
    );
    const robot = new ApiClient({ ...suite.cluster.access, token: status.token });
    const review = await robot.json<{
      metadata: { creationTimestamp: string };
      status: object;
    }>("POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", { body: {} });
    expect(review.metadata.creationTimestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(review.status).toMatchObject({
      userInfo: { username: "system:serviceaccount:default:robot" },
    });
    await suite.cluster.client.ask("DELETE", account);
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

  it("lets others do what their roles allow and no more", async () => {
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

  it("lets a role by name list and watch only that one object", async () => {
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
