import { serviceKind } from "@cloudwright/core/model/kinds/load-balancer";
import { describe, expect, test } from "vitest";
import {
  orphanState,
  loadBalancerDetail as reported,
  serviceState,
  verdict,
} from "../../../testing/load-balancer-records.ts";
import { CLUSTER, heartbeat, newId, objectState, runEnd } from "../../../testing/records.ts";
import { testLedger } from "../../../testing/test-ledger.ts";
import { requestIntent } from "../../intents/request-intent.ts";
import { pageStatement } from "../../sql/lists/list.ts";
import { objectList } from "../../sql/objects/objects.ts";
import type { LoadBalancerSort, LoadBalancersFilter } from "../../views/load-balancers.ts";
import { clusterById } from "../overview/clusters.ts";
import { overview } from "../overview/overview.ts";
import { listRuns } from "../runs/runs.ts";
import { listLoadBalancers, listOrphans, loadBalancerDetail } from "./load-balancers.ts";
import { nodeLoadBalancers } from "./node-detail.ts";
import { listNodes } from "./object-view.ts";

const ledger = testLedger();

const NOW = 1_774_000_000_000;

function list(filter: LoadBalancersFilter = {}, by: LoadBalancerSort = "name", descending = false) {
  return listLoadBalancers(ledger.db, {
    cluster: CLUSTER,
    filter,
    sort: { by, descending },
    limit: 50,
  });
}

const names = (rows: readonly { readonly name: string }[]) => rows.map(({ name }) => name);

describe("the list of load balancers", () => {
  test("shows what the details of Services say", async () => {
    await ledger.write(
      serviceState("shop/web", { reported: { changedAt: NOW }, drift: "drifted" }),
      serviceState("shop/new", {
        state: "waiting",
        reason: { code: "BalancerMissing", provider: "sandbox" },
        drift: "notChecked",
        detail: undefined,
      }),
    );
    const { rows, counts } = await list();
    expect(rows).toMatchObject([
      {
        name: "shop/new",
        namespace: "shop",
        service: "new",
        providerID: undefined,
        addresses: [],
        membersIn: undefined,
        changedAt: undefined,
      },
      {
        name: "shop/web",
        service: "web",
        providerID: "lb-1",
        type: "network",
        addresses: ["203.0.113.7"],
        membersIn: 2,
        membersWanted: 2,
        changedAt: NOW,
        drift: "drifted",
      },
    ]);
    expect(counts).toMatchObject({ states: { ok: 1, waiting: 1 }, drifted: 1, orphans: 0 });
  });

  test("keeps what was known when a run could not look", async () => {
    await ledger.write(serviceState("shop/web", { at: NOW }));
    await ledger.write(
      serviceState("shop/web", { at: NOW + 1_000, state: "unknown", detail: undefined }),
    );
    const { rows } = await list();
    expect(rows).toMatchObject([{ state: "unknown", providerID: "lb-1", membersIn: 2 }]);
  });

  test("is filtered by state, drift, reason and text", async () => {
    const facts = {
      ...reported().actual,
      name: "a77",
      type: "network",
      state: "active",
      parts: [],
    };
    await ledger.write(
      serviceState("shop/web", { drift: "drifted" }),
      serviceState("shop/api", {
        state: "stuck",
        reason: { code: "BalancerWithoutMembers" },
        reported: {
          actual: { ...facts, id: "lb-77", addresses: [] },
          published: [{ hostname: "LB.Example" }],
        },
      }),
      serviceState("shop/was", { state: "gone" }),
      objectState({ name: "w-1" }),
    );
    expect(names((await list()).rows)).toEqual(["shop/api", "shop/web"]);
    expect(names((await list({ states: ["gone"] })).rows)).toEqual(["shop/was"]);
    expect(names((await list({ drift: "drifted" })).rows)).toEqual(["shop/web"]);
    expect(names((await list({ reason: "BalancerWithoutMembers" })).rows)).toEqual(["shop/api"]);
    for (const text of ["lb-77", "lb.ex", "A77", "P/API"]) {
      expect(names((await list({ text })).rows), text).toEqual(["shop/api"]);
    }
    expect(
      (await listNodes(ledger.db, { ...PLAIN, sort: { by: "name", descending: false } })).rows,
    ).toHaveLength(1);
  });

  const half = [verdict("w-1"), verdict("w-2", { verdict: "soon" })];
  const records = () => [
    serviceState("a/full", { since: NOW, reported: { changedAt: NOW - 9 } }),
    serviceState("b/half", { since: NOW - 1, reported: { members: half, changedAt: NOW } }),
    serviceState("c/none", { since: NOW - 2, state: "stuck", reported: { members: [] } }),
    serviceState("d/new", { since: NOW - 3, state: "waiting", detail: undefined }),
  ];
  test.each<[LoadBalancerSort, readonly string[]]>([
    ["state", ["c/none", "d/new", "b/half", "a/full"]],
    ["name", ["a/full", "b/half", "c/none", "d/new"]],
    ["since", ["d/new", "c/none", "b/half", "a/full"]],
    ["members", ["c/none", "d/new", "b/half", "a/full"]],
    ["changed", ["c/none", "d/new", "a/full", "b/half"]],
  ])("by %s is paged in its order, both ways", async (by, order) => {
    await ledger.write(...records());
    for (const descending of [false, true]) {
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await listLoadBalancers(ledger.db, {
          ...PLAIN,
          sort: { by, descending },
          limit: 1,
          cursor,
        });
        seen.push(...names(page.rows));
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      expect(seen).toEqual(descending ? order.toReversed() : order);
    }
  });
});

const PLAIN = { cluster: CLUSTER, filter: {}, limit: 50 };

describe("the page of one", () => {
  test("reports since when there is a Service whose load balancer was never looked at", async () => {
    const reason = { code: "ServiceInvalid", field: "f", value: "v", problem: "p" } as const;
    const blocked = { state: "stuck", reason, detail: undefined, drift: "notChecked" } as const;
    await ledger.write(serviceState("shop/web", { at: NOW, ...blocked, createdAt: NOW - 90_000 }));
    const input = { cluster: CLUSTER, namespace: "shop", name: "web" };
    const view = await loadBalancerDetail(ledger.db, input);
    expect(view).toMatchObject({ createdAt: NOW - 90_000, detail: undefined });
    await ledger.write(serviceState("shop/web", { at: NOW + 1, ...blocked, createdAt: undefined }));
    expect((await loadBalancerDetail(ledger.db, input)).createdAt).toBe(NOW - 90_000);
  });

  test("has the detail, what is asked for, and stays when it is gone", async () => {
    await ledger.write(heartbeat(), serviceState("shop/web", { at: NOW }));
    await ask({ namespace: "shop", name: "web" });
    await ask({ namespace: "other", name: "web" });
    const input = { cluster: CLUSTER, namespace: "shop", name: "web" };
    const view = await loadBalancerDetail(ledger.db, input);
    expect(view.detail).toEqual(reported());
    expect(view.createdAt).toBe(Date.UTC(2026, 10, 1));
    expect(view.openIntents).toMatchObject([{ object: { namespace: "shop", name: "web" } }]);

    await ledger.write(
      serviceState("shop/web", { at: NOW + 5, since: NOW + 5, state: "gone", detail: undefined }),
    );
    expect(await loadBalancerDetail(ledger.db, input)).toMatchObject({
      goneAt: NOW + 5,
      detail: { kind: "balancer" },
    });
  });

  test("of an unknown Service is not found, and a newer version's detail is left out", async () => {
    const input = { cluster: CLUSTER, namespace: "shop", name: "web" };
    await expect(loadBalancerDetail(ledger.db, input)).rejects.toMatchObject({ code: "NotFound" });
    await ledger.write(serviceState("shop/web", { detail: { kind: "of-the-future" } }));
    expect((await loadBalancerDetail(ledger.db, input)).detail).toBeUndefined();
  });
});

describe("load balancers without a Service", () => {
  test("are listed with what they cost, and leave when they are gone", async () => {
    await ledger.write(
      orphanState("lb-8", {
        since: NOW,
        at: NOW,
        reported: { costHint: "about 0.02 EUR an hour" },
      }),
      orphanState("lb-9", { since: NOW - 5, at: NOW }),
      orphanState("lb-7", { state: "gone" }),
      serviceState("shop/web"),
    );
    const orphans = (text?: string) =>
      listOrphans(ledger.db, {
        ...PLAIN,
        filter: { text },
        sort: { by: "since", descending: false },
      });
    const { rows, counts, total } = await orphans();
    expect(names(rows)).toEqual(["lb-9", "lb-8"]);
    expect(rows[1]?.detail).toMatchObject({
      service: "shop/old",
      costHint: "about 0.02 EUR an hour",
    });
    expect(total).toEqual({ kind: "exact", count: 2 });
    expect(counts).toMatchObject({ orphans: 2, states: { ok: 1 } });
    expect(names((await orphans("a-lb-8")).rows)).toEqual(["lb-8"]);
    expect(names((await orphans("UID-OLD")).rows)).toEqual(["lb-9", "lb-8"]);
    expect(names((await list()).rows), "no Service of theirs is made up").toEqual(["shop/web"]);
  });
});

describe("the load balancers of a node", () => {
  test("are those that judge it, those that it is behind first", async () => {
    const out = verdict("w-1", { verdict: "out", why: "excludedByLabel", evidence: "true" });
    await ledger.write(
      serviceState("shop/api", { reported: { members: [out] } }),
      serviceState("shop/web", { reported: { members: [verdict("w-1", { health: "healthy" })] } }),
      serviceState("shop/zoo", { reported: { members: [verdict("w-2")] } }),
      serviceState("shop/was", { state: "gone", reported: { members: [verdict("w-1")] } }),
    );
    const view = await nodeLoadBalancers(ledger.db, { cluster: CLUSTER, name: "w-1" });
    expect(view).toMatchObject({ behind: 1, total: 2 });
    expect(view.balancers).toMatchObject([
      { service: "shop/web", addresses: ["203.0.113.7"], verdict: { health: "healthy" } },
      { service: "shop/api", verdict: out },
    ]);
  });
});

describe("elsewhere", () => {
  test("the Overview counts them, and a stuck one is a problem apart from nodes with the same trouble", async () => {
    const reason = {
      code: "ProviderRefused",
      provider: "sandbox",
      operation: "POST",
      message: "quota",
    } as const;
    const stuck = { at: NOW, since: NOW - 5, state: "stuck", reason } as const;
    await ledger.write(
      heartbeat(),
      objectState({ ...stuck, controller: "service-lb-controller", name: "w-1", kind: "Node" }),
      serviceState("shop/web", stuck),
      serviceState("shop/api", stuck),
      orphanState("lb-9"),
    );
    const view = await overview(ledger.db, { cluster: CLUSTER, now: NOW });
    expect(view.balancers).toMatchObject({ states: { stuck: 2 }, orphans: 1, orphansStuck: 0 });
    expect(view.nodes).toMatchObject({ stuck: 1 });
    expect(view.problems).toMatchObject([
      { of: "Service", count: 2, members: [{ name: "shop/api" }, { name: "shop/web" }] },
      { of: "Node", count: 1, members: [{ name: "w-1" }] },
    ]);
    expect((await clusterById(ledger.db, CLUSTER)).balancers).toMatchObject({ orphans: 1 });
  });

  test("runs are distinguished by the kind of their object", async () => {
    const run = (object: { kind: "Node" | "Service"; namespace?: string; name: string }) =>
      runEnd({ id: newId(), object });
    await ledger.write(
      run({ kind: "Node", name: "web" }),
      run({ kind: "Service", namespace: "shop", name: "web" }),
      run({ kind: "Service", namespace: "other", name: "web" }),
    );
    const sort = { by: "started", descending: true } as const;
    const of = async (filter: object) =>
      (await listRuns(ledger.db, { ...PLAIN, filter, sort })).rows;
    expect(await of({ key: "web" })).toHaveLength(3);
    expect(await of({ key: "web", kind: "Node" })).toMatchObject([{ object: { kind: "Node" } }]);
    expect(await of({ key: "shop/web" })).toMatchObject([{ object: { namespace: "shop" } }]);
    expect(await of({ not: { kind: "Service" } })).toHaveLength(1);
  });
});

test("a thousand Services are paged by an index", async () => {
  await ledger.db.pool.query(`${FILL}; ANALYZE load_balancer_states`);
  const sort = { by: "state", descending: false } as const;
  const { text, values } = pageStatement(objectList(serviceKind, sort.by), { ...PLAIN, sort });
  const { rows } = await ledger.db.pool.query<{ "QUERY PLAN": string }>(`EXPLAIN ${text}`, [
    ...values,
  ]);
  const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
  expect(plan).toMatch(/Index Scan/);
  expect(plan).not.toMatch(/Seq Scan/);
});

const FILL = `
  INSERT INTO load_balancer_states (cluster_id, kind, name, uid, parts, state, state_rank, reason, reason_code, controller,
                             since, failures, drift, last_run_id, last_run_outcome, last_run_at, updated_at, search_text)
  SELECT '${CLUSTER}', kind, kind || '/' || n, n::text, '{}', 'ok', 5, '{}', 'InStep', 'c',
         now() - n * interval '1 second', 0, 'inStep', n::text, 'changed', now(), now(), ''
    FROM unnest('{Service,LoadBalancer}'::text[]) AS kind,
         generate_series(1, CASE kind WHEN 'Service' THEN 1000 ELSE 3000 END) AS n`;

const REQUESTER = { id: "u-1", name: "ana", role: "operator" } as const;

function ask(object: { readonly namespace: string; readonly name: string }) {
  return requestIntent(
    { db: ledger.db, actor: REQUESTER },
    {
      id: newId(),
      cluster: CLUSTER,
      kind: "retry",
      controller: "service-lb-controller",
      object: { kind: "Service", ...object },
      why: "INC-9",
    },
  );
}
