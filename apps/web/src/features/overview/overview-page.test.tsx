// @vitest-environment happy-dom
import type { ClusterView } from "@cloudwright/store/views/clusters";
import type { ClusterHealth } from "@cloudwright/store/views/health";
import type { OverviewView, Problem, ProblemMember } from "@cloudwright/store/views/overview";
import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { intent } from "../../platform/actions/testing/intents.ts";
import { NO_HEALTH } from "../../platform/wording/health-messages.ts";
import { cluster, instance, NO_STATES } from "../../testing/cluster-view.ts";
import { ANA, type Answers, refusal, renderPage } from "../../testing/render-page.tsx";
import { Stale } from "../../testing/stale.tsx";
import { OverviewPage } from "./overview-page.tsx";

const WHOLE: ClusterHealth = {
  ...NO_HEALTH,
  coverage: {
    Node: { present: 5, reported: 5, isExpected: true, uninitialised: 0 },
    Service: { present: 0, reported: 0, isExpected: true, uninitialised: undefined },
  },
};

function member(name: string, over: Partial<ProblemMember> = {}): ProblemMember {
  return {
    ...{ name, uid: `u-${name}`, controller: "cloud-node-controller", nextAt: undefined },
    reason: {
      code: "InstanceNotFound",
      provider: "sandbox",
      by: "name",
      value: name,
      requestId: "7f3a9c10",
    },
    since: Date.now() - 14 * 60_000,
    ...over,
  };
}

function problem(members: readonly ProblemMember[], over: Partial<Problem> = {}): Problem {
  return {
    ...{ id: "p-1", kind: "stuck", of: "Node", code: "InstanceNotFound", count: members.length },
    ...{ since: Date.now() - 14 * 60_000, members },
    ...over,
  };
}

function overview(over: Partial<OverviewView> = {}): OverviewView {
  const { balancers: loadBalancers, routes, volumes } = cluster();
  return {
    ...{ nodes: { ...NO_STATES, ok: 5 }, balancers: loadBalancers, routes, volumes, health: WHOLE },
    ...{ problems: [], fleet: undefined, minutes: [], changes: [] },
    ...over,
  };
}

interface Shown {
  readonly view?: Partial<ClusterView>;
  readonly answers?: Answers;
  readonly role?: "viewer" | "admin";
}

const answersOf = (found: OverviewView, { view = {}, answers = {} }: Shown = {}): Answers => ({
  "overview.byCluster": () => found,
  "clusters.byId": () => cluster({ health: found.health, ...view }),
  "people.admins": () => ["Cleo"],
  "controllers.activity": () => [],
  ...answers,
});

function show(found: Partial<OverviewView> = {}, shown: Shown = {}) {
  return renderPage(<OverviewPage />, {
    viewer: { ...ANA, role: shown.role ?? "admin" },
    address: "/c/c-1",
    answers: answersOf(overview(found), shown),
  });
}

const needs = () => screen.findByRole("region", { name: "Needs you" });

describe("a part that could not be read", () => {
  it.each([
    ["minutes", "Last hour"],
    ["changes", "Changes"],
    ["fleet", "Nodes"],
  ] as const)("says so in its panel, and the others say what they know: %s", async (part, name) => {
    show({ unread: [part] });
    expect(await needs()).toBeDefined();
    const panel = within(screen.getByRole("region", { name }));
    expect(panel.getByText(/^This part could not be read/)).toBeDefined();
    expect(screen.getAllByText(/^This part could not be read/)).toHaveLength(1);
  });
});

describe("what needs a user", () => {
  it("is nothing if everything is known and healthy", async () => {
    show();
    expect((await needs()).textContent).toMatch(/Nothing needs you\. Anything that is waiting/);
  });

  it("is not called nothing if not everything has reported", async () => {
    const Node = { ...WHOLE.coverage.Node, present: 9, uninitialised: 4 };
    const health = { ...WHOLE, coverage: { ...WHOLE.coverage, Node } };
    show({ health });
    expect((await needs()).textContent).toMatch(/but not everything has/);
  });

  it("is not called nothing while the data is stale", async () => {
    renderPage(
      <Stale>
        <OverviewPage />
      </Stale>,
      { address: "/c/c-1", answers: answersOf(overview()) },
    );
    expect((await needs()).textContent).toMatch(/The current state is unknown\./);
    expect(screen.getByText(/^Current state unknown; as of/)).toBeDefined();
  });

  it("names one object with its cause and advice, and retries exactly that one", async () => {
    show({ problems: [problem([member("w-1")])] });
    const panel = within(await needs());
    expect(panel.getByText("14 min")).toBeDefined();
    expect(panel.getByRole("button", { name: "Retry now" })).toBeDefined();
    expect(panel.getByRole("link", { name: /^Open/ }).getAttribute("href")).toBe(
      "/c/c-1/nodes/w-1",
    );
  });

  it("is one row per cause, with its members and how many more there are", async () => {
    show({ problems: [problem([member("w-1"), member("w-2"), member("w-3")], { count: 40 })] });
    const panel = within(await needs());
    expect(panel.getByText(/, and 39 more like it/)).toBeDefined();
    expect(panel.getByText("The oldest 3 of 40")).toBeDefined();
    expect(panel.getByRole("button", { name: "Retry oldest 3…" })).toBeDefined();
    expect(panel.getByRole("link", { name: "Open all 40" }).getAttribute("href")).toBe(
      "/c/c-1/nodes?state=stuck&reason=InstanceNotFound",
    );
  });

  it("shows no number for a list that also contains another problem's objects", async () => {
    const many = (id: string) => problem([member(`${id}-1`), member(`${id}-2`)], { id });
    show({ problems: [many("a"), many("b")] });
    const panel = within(await needs());
    expect(panel.getAllByRole("link", { name: "Open all like it" })).toHaveLength(2);
    expect(panel.queryByRole("link", { name: /^Open all 2$/ })).toBeNull();
  });

  it("cannot be retried by a viewer, one or many, who learns whom to ask", async () => {
    show(
      {
        problems: [
          problem([member("w-1")]),
          problem([member("w-2"), member("w-3")], { id: "p-2" }),
        ],
      },
      { role: "viewer" },
    );
    const panel = within(await needs());
    for (const name of ["Retry now", "Retry 2…"]) {
      const button = panel.getByRole("button", { name });
      await expect
        .poll(() => button.getAttribute("aria-description"), { message: name })
        .toBe("Needs role operator. You are viewer. Admins: Cleo.");
    }
  });

  it("offers no retry for what nobody can retry", async () => {
    const orphan = member("lb-9", {
      controller: "service-lb-controller",
      reason: { code: "BalancerOrphaned", provider: "sandbox", id: "lb-9", service: "shop/web" },
    });
    show({ problems: [problem([orphan], { of: "LoadBalancer", code: "BalancerOrphaned" })] });
    const panel = within(await needs());
    expect(panel.queryByRole("button", { name: /^Retry/ })).toBeNull();
  });

  it("offers to release what the guard holds, while it holds something", async () => {
    const held = [{ name: "w-1", uid: "u", since: 0, because: "Gone." }];
    const guard = { limit: 5, windowMs: 600_000, deleted: 5, held };
    const guarded = problem([member("w-1", { reason: { code: "InStep" } })], { kind: "held" });
    show(
      { problems: [guarded] },
      { view: { leader: instance({ controls: { pauses: [], guard } }) } },
    );
    const panel = within(await needs());
    expect(await panel.findByRole("button", { name: "Release…" })).toBeDefined();
    expect(panel.queryByRole("button", { name: /^Retry/ })).toBeNull();
  });
});

describe("the totals", () => {
  it("count the states of nodes, each with a link to its list", async () => {
    show({ nodes: { ...NO_STATES, ok: 1_200, stuck: 3 } });
    const panel = within(await screen.findByRole("region", { name: "Nodes" }));
    const stuck = panel.getByRole("link", { name: /Stuck/ });
    expect(stuck.textContent).toMatch(/3/);
    expect(stuck.getAttribute("href")).toBe("/c/c-1/nodes?state=stuck");
    expect(panel.getByRole("link", { name: /OK/ }).textContent).toMatch(/1,200/);
  });

  it("say how long nodes take to initialise, and that none did recently", async () => {
    show({ fleet: { p50Ms: 1_500, p95Ms: 4_000, nodes: 9 } });
    expect(
      await screen.findByText(/^From registered to initialised: half within 1\.5.s, 95.% within 4/),
    ).toBeDefined();
  });

  it("include load balancers only if there are any, orphans as well", async () => {
    const { balancers: loadBalancers } = overview();
    show({ balancers: { ...loadBalancers, orphans: 2 } });
    const panel = within(await screen.findByRole("region", { name: "Load balancers" }));
    expect(panel.getByRole("link", { name: /^Orphans/ }).textContent).toMatch(/2$/);
  });

  it("have no load balancer panel in a cluster without one", async () => {
    show();
    await needs();
    expect(screen.queryByRole("region", { name: "Load balancers" })).toBeNull();
  });
});

describe("other needs", () => {
  const QUOTAS = [{ service: "Neutron", quotas: [{ resource: "IPs", limit: 50, used: 50 }] }];
  const GAP = {
    id: "g-1",
    instance: "ctl-1",
    from: Date.now() - 60_000,
    to: Date.now(),
    records: 3,
    calls: 0,
  };

  it("are in one list with what needs a user, objects first and information last", async () => {
    const leader = instance({
      cloud: { callsLastMinute: 0, throttledLastMinute: 0, quotas: QUOTAS },
    });
    const dry = instance({ identity: "ctl-9", leader: false, dryRun: true });
    show(
      { problems: [problem([member("w-1")])] },
      {
        view: { leader, instances: [leader, dry], gaps: [GAP] },
        answers: {
          "approvals.waiting": () => [{ intent: intent(), isOwn: false, whyNot: undefined }],
        },
      },
    );
    const list = await screen.findByRole("list", { name: "Needs you" });
    await within(list).findByRole("region", { name: "Waiting for approval" });
    const rows = [...list.children].map(({ textContent }) => textContent);
    expect(rows.map((text) => /^[A-Z][a-z]+( [a-z]+)*/.exec(text ?? "")?.[0].slice(0, 14))).toEqual(
      [...["Stuck", "Awaiting appro", "Nearly used up", "Unknown", "Writes nothing"]],
    );
    expect(rows[3]).toMatch(/3 records were lost between.*Show runs of that time$/);
  });

  it("that are only information do not keep the page from saying that nothing is needed", async () => {
    show({}, { view: { gaps: [GAP] } });
    const panel = await needs();
    await within(panel).findByRole("link", { name: "Show runs of that time" });
    expect(panel.textContent).toMatch(/Nothing needs you/);
  });

  it("include what waits for consent, with a link", async () => {
    show({}, { view: { waiting: { balancers: 2, routes: 0 } } });
    const link = await screen.findByRole("link", { name: "Show what is waiting" });
    expect(link.getAttribute("href")).toBe("/c/c-1/takeover");
    expect(link.closest("li")?.textContent).toMatch(/Takeover.*2 load balancers/);
  });

  it("include a nearly full cloud quota, with a link", async () => {
    const quotas = [
      { service: "Neutron", quotas: [{ resource: "floating IPs", limit: 50, used: 50 }] },
    ];
    const cloud = { callsLastMinute: 0, throttledLastMinute: 0, quotas };
    show({}, { view: { leader: instance({ cloud }) } });
    const link = await screen.findByRole("link", { name: "Show the quotas" });
    expect(link.getAttribute("href")).toBe("/c/c-1/budget");
    expect(link.closest("li")?.textContent).toMatch(
      /Nearly used up.*50 of 50 floating IPs \(Neutron\)/,
    );
  });

  it("include a controller in dry run beside the one that acts, and its last report", async () => {
    const dry = instance({
      identity: "ctl-9",
      leader: false,
      dryRun: true,
      heardAt: Date.now() - 14 * 60_000,
    });
    show({}, { view: { instances: [instance(), dry] } });
    const link = await screen.findByRole("link", { name: "Show what it would do" });
    expect(link.closest("li")?.textContent).toMatch(/last heard from 14 min ago/);
  });

  const CHANGE = {
    ...{ id: "a-1", at: Date.now() - 14 * 60_000 },
    ...{ action: "node.hold" as const, why: "disk check" },
    actor: { kind: "person" as const, id: "u-1", name: "Ana" },
    object: { kind: "Node", namespace: undefined, name: "w-1", uid: "u" },
    ...{ runId: "r-9", initMs: undefined },
  };
  const changesPanel = async () => within(await screen.findByRole("region", { name: "Changes" }));

  it("the latest changes are listed with the object, the reason and the run", async () => {
    show({ changes: [CHANGE] });
    const panel = await changesPanel();
    expect(panel.getByRole("listitem").textContent).toMatch(/14 min ago.*w-1.*disk check/);
    const runs = panel.getAllByRole("link").map((link) => link.getAttribute("href"));
    expect(runs).toContain("/c/c-1/runs/r-9");
  });

  it("the reason is left out for routine work on a node, which no longer applies", async () => {
    show({ changes: [{ ...CHANGE, action: "node.pod-cidrs", why: "It has no pod range." }] });
    const panel = await changesPanel();
    expect(panel.getByRole("listitem").textContent).toMatch(/w-1 got its pod rangesRun/);
  });
});

describe("an overview that could not be read", () => {
  it("says why, not that all is well, and is refetched by a key", async () => {
    const answers = { "overview.byCluster": refusal("SERVICE_UNAVAILABLE", "The ledger is down.") };
    const page = show({}, { answers });
    expect((await screen.findByRole("alert")).textContent).toContain("The ledger is down.");
    expect(screen.queryByText(/Nothing needs you/)).toBeNull();
    await page.user.keyboard("r");
    await expect.poll(() => page.sent("overview.byCluster")).toHaveLength(2);
  });
});
