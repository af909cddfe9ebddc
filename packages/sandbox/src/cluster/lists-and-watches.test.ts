import { beforeEach, describe, expect, it } from "vitest";
import { NODES, useTestCluster } from "./testing/use-test-cluster.ts";
import { WatchReader } from "./testing/watch-reader.ts";

const suite = useTestCluster();
const { create, label, list, watch, admin } = suite;

describe("pages", () => {
  const names = ["n1", "n2", "n3"];

  beforeEach(async () => {
    for (const name of names) await create(NODES, name);
  });

  it("show one moment across all pages, whatever happens in between", async () => {
    const first = await list(`${NODES}?limit=2`);
    await suite.cluster.client.ask("DELETE", `${NODES}/n3`);
    await create(NODES, "n4");
    const token = encodeURIComponent(first.metadata.continue ?? "");
    const second = await list(`${NODES}?limit=2&continue=${token}`);
    const seen = [...first.items, ...second.items].map(({ metadata }) => metadata.name);
    expect(seen).toEqual(names);
    expect(second.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
    expect(second.metadata.continue).toBeUndefined();
  });

  it("expire with the history and can be continued inconsistently", async () => {
    const first = await list(`${NODES}?limit=2`);
    await suite.cluster.client.ask("DELETE", `${NODES}/n3`);
    await create(NODES, "n4");
    await admin("POST", "/admin/compact");
    const token = encodeURIComponent(first.metadata.continue ?? "");
    const refused = await suite.cluster.client.ask("GET", `${NODES}?continue=${token}`);
    expect(refused.status).toBe(410);
    const status: { reason: string; metadata: { continue: string } } = JSON.parse(refused.text);
    expect(status.reason).toBe("Expired");
    const rest = await list(`${NODES}?continue=${encodeURIComponent(status.metadata.continue)}`);
    expect(rest.items.map(({ metadata }) => metadata.name)).toEqual(["n4"]);
  });

  it("show an exact version while the history has it", async () => {
    const { metadata } = await list(NODES);
    await suite.cluster.client.ask("DELETE", `${NODES}/n1`);
    const exact = `resourceVersion=${metadata.resourceVersion}&resourceVersionMatch=Exact`;
    expect((await list(`${NODES}?${exact}`)).items).toHaveLength(3);
    await admin("POST", "/admin/compact");
    expect((await suite.cluster.client.ask("GET", `${NODES}?${exact}`)).status).toBe(410);
  });

  it("refuse a version from the future", async () => {
    const overridden = await suite.cluster.client.ask("GET", `${NODES}?resourceVersion=999999`);
    expect(overridden.status).toBe(504);
    expect(overridden.text).toContain("Too large resource version");
  });
});

describe("watches", () => {
  it("report every change, in order, to every watcher", async () => {
    const [one, two] = await Promise.all([watch(`${NODES}?watch=1`), watch(`${NODES}?watch=1`)]);
    await create(NODES, "n1");
    await label("n1", { a: "b" });
    await suite.cluster.client.ask("DELETE", `${NODES}/n1`);
    for (const events of [one, two]) {
      const types = [await events.next(), await events.next(), await events.next()];
      expect(types.map(({ type }) => type)).toEqual(["ADDED", "MODIFIED", "DELETED"]);
      events.close();
    }
  });

  it("report objects that start or cease to match a selector as added and deleted", async () => {
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

  it("show tables, with their columns only in the first event", async () => {
    const events = await WatchReader.open(suite.cluster.client, `${NODES}?watch=1`, {
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
