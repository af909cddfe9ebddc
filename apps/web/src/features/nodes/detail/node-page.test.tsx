// @vitest-environment happy-dom
import type { Reason } from "@cloudwright/core/model/reason";
import type { RouteCell } from "@cloudwright/core/model/records/route-record";
import type { State } from "@cloudwright/core/model/state";
import type { NodeLoadBalancer, NodeLoadBalancers } from "@cloudwright/store/views/load-balancers";
import type { NodeDetail } from "@cloudwright/store/views/node-detail";
import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { intent } from "../../../platform/actions/testing/intents.ts";
import { auditEntry, auditPage } from "../../../testing/audit-entry.ts";
import { cluster, controller, instance } from "../../../testing/cluster-view.ts";
import { controllerState, nodeDetail, nodeFacts, nodeRow } from "../../../testing/node-detail.ts";
import { ANA, type Answers, refusal, renderPage } from "../../../testing/render-page.tsx";
import { hasShape } from "../../../testing/shapes.ts";
import { facts, Stale } from "../../../testing/stale.tsx";
import { NodePage } from "./node-page.tsx";

const HELD: Reason = {
  code: "HeldByAnnotation",
  by: "ben",
  why: "disk check",
  untilMs: Date.now() + 3_600_000,
};
const NOT_FOUND: Reason = {
  code: "InstanceNotFound",
  ...{ provider: "sandbox", by: "name", value: "w-1", requestId: "7f3a9c10" },
};
const NONE: NodeLoadBalancers = { balancers: [], behind: 0, total: 0 };

interface Shown {
  readonly tab?: string;
  readonly answers?: Answers;
  readonly role?: "viewer" | "operator" | "admin";
}

const addressOf = (tab: string | undefined) =>
  tab === undefined ? "/c/c-1/nodes/w-1" : `/c/c-1/nodes/w-1?tab=${tab}`;
const answersOf = (of: Partial<NodeDetail>, answers: Answers = {}): Answers => ({
  "nodes.byName": () => nodeDetail(of),
  "balancers.ofNode": () => NONE,
  "people.admins": () => ["Cleo"],
  ...answers,
});

function show(of: Partial<NodeDetail>, { tab, answers, role = "admin" }: Shown = {}) {
  return renderPage(<NodePage name="w-1" />, {
    viewer: { ...ANA, role },
    address: addressOf(tab),
    answers: answersOf(of, answers),
  });
}

const heading = () => screen.findByRole("heading", { level: 1, name: "w-1" });
const diagnosis = () =>
  screen.getByRole("button", { name: "Copy the diagnosis" }).parentElement?.textContent;
/** The node in this state for this reason, by the controller of nodes. */
const inState = (
  state: State,
  reason: Reason,
  more: Partial<NodeDetail> = {},
): Partial<NodeDetail> => ({
  row: nodeRow("w-1", { state, reason, since: Date.now() - 14 * 60_000 }),
  controllers: [controllerState({ state, reason })],
  ...more,
});
const fact = (term: string) =>
  screen.getByText(term, { selector: "dt" }).nextElementSibling?.textContent;

describe("what a node's page says first", () => {
  it.each<[State, Reason, RegExp]>([
    ["stuck", NOT_FOUND, /^Node w-1 has been stuck for 14.min: No.instance/],
    [
      "unknown",
      {
        code: "ProviderTimedOut",
        provider: "sandbox",
        operation: "GET /v1/instances",
        afterMs: 10_000,
      },
      /could not be observed for 14.*did not answer GET \/v1\/instances/i,
    ],
    ["waiting", { code: "Uninitialised" }, /waiting.*waiting to be initialised/i],
    ["held", HELD, /held.*ben.*disk check/i],
    ["ok", { code: "InStep" }, /ok.*in sync with the cloud/i],
  ])("of one that is %s is that and why", async (state, reason, sentence) => {
    show(inState(state, reason));
    await heading();
    expect(diagnosis()).toMatch(sentence);
  });

  it("says of one that is gone since when, and offers nothing to do with it", async () => {
    const deleted = () => auditPage([auditEntry(7, { action: "node.delete", runId: "r-870" })]);
    const gone = { ...inState("gone", { code: "ObjectGone" }), goneAt: Date.now() - 14 * 60_000 };
    show(gone, { answers: { "audit.list": deleted } });
    await heading();
    expect(await screen.findByRole("link", { name: "this run" })).toBeDefined();
    expect(screen.getByText(/Gone 14 min ago|Gone$/, { exact: false })).toBeDefined();
    for (const name of ["Retry now", "Hold…", "Dry run"])
      expect(screen.queryByRole("button", { name }), name).toBeNull();
  });

  it("is what was so when the leader fell silent, and says so", async () => {
    renderPage(
      <Stale>
        <NodePage name="w-1" />
      </Stale>,
      { address: addressOf(undefined), answers: answersOf(inState("ok", { code: "InStep" })) },
    );
    await heading();
    expect(screen.getByText(/^Current state unknown; as of/)).toBeDefined();
  });

  it("says nothing of staleness while all is well", async () => {
    renderPage(
      <Stale of={facts()}>
        <NodePage name="w-1" />
      </Stale>,
      { address: addressOf(undefined), answers: answersOf({}) },
    );
    await heading();
    expect(screen.queryByText(/Current state unknown/)).toBeNull();
  });

  it("says of what is not known that it is not, and never that it is nothing", async () => {
    show({
      row: nodeRow("w-1", { zone: undefined, instanceType: undefined }),
      createdAt: undefined,
    });
    await heading();
    for (const term of ["Ready", "Registered", "Kubelet", "Zone", "Type"])
      expect(fact(term), term).toBe("not known");
    expect(fact("Taints")).toBe("none");
  });

  it("says of each taint whose it is", async () => {
    const key = "node.cloudprovider.kubernetes.io/uninitialized";
    show({ taints: [{ key, effect: "NoSchedule" }] });
    await heading();
    expect(fact("Taints")).toMatch(/uninitialized:NoSchedule.+/);
  });
});

describe("what can be done with a node", () => {
  it("is to retry, to hold and to look at a dry run", async () => {
    show(inState("stuck", NOT_FOUND));
    await heading();
    for (const name of ["Retry now", "Hold…", "Dry run"])
      expect(screen.getByRole("button", { name }).getAttribute("aria-disabled"), name).toBeNull();
    expect(screen.queryByRole("button", { name: "Release…" })).toBeNull();
  });

  it("is for a viewer the dry run alone; the rest says which role it needs", async () => {
    show(inState("stuck", NOT_FOUND), { role: "viewer" });
    await heading();
    const whyNot = (name: string) =>
      screen.getByRole("button", { name }).getAttribute("aria-description");
    await expect
      .poll(() => whyNot("Retry now"))
      .toBe("Needs role operator. You are viewer. Admins: Cleo.");
    expect(whyNot("Hold…")).toMatch(/^Needs role operator\./);
    expect(whyNot("Dry run")).toBeNull();
  });

  it("is nothing while the server cannot be reached: a request would be lost", async () => {
    const server = { newest: "failed", answeredAt: Date.now() - 60_000 } as const;
    renderPage(
      <Stale of={facts({ server })}>
        <NodePage name="w-1" />
      </Stale>,
      { address: addressOf(undefined), answers: answersOf({}) },
    );
    await heading();
    expect(screen.getByRole("button", { name: "Retry now" }).getAttribute("aria-description")).toBe(
      "This page cannot reach the dashboard's server, so no action can be requested.",
    );
  });

  it("is to release one that is held, which says by whom, for how long and what was wrong", async () => {
    const controllers = [
      controllerState({ state: "held", reason: HELD, underneath: { reason: NOT_FOUND } }),
    ];
    show({ ...inState("held", HELD), controllers });
    await heading();
    expect(screen.getByRole("button", { name: "Release…" })).toBeDefined();
    expect(screen.queryByRole("button", { name: "Hold…" })).toBeNull();
    expect(screen.getByText(/^Held by ben/)).toBeDefined();
    expect(screen.getByText(/^When the hold began:/)).toBeDefined();
    expect(screen.getByRole("button", { name: "Extend… the hold" })).toBeDefined();
  });

  it("goes by what the controller reports that writes holds, which is newer than the list's", async () => {
    show({
      row: nodeRow("w-1", { state: "ok", reason: { code: "InStep" } }),
      controllers: [controllerState({ state: "held", reason: HELD })],
    });
    await heading();
    expect(screen.getByRole("button", { name: "Release…" })).toBeDefined();
  });

  it("is to adopt the route that waits for consent", async () => {
    const reason: Reason = {
      code: "RouteUnowned",
      ...{ provider: "sandbox", cidr: "10.0.1.0/24", id: "r-1", proofs: ["range"] },
    };
    const routes = controllerState({
      controller: "node-route-controller",
      state: "waiting",
      reason,
    });
    show({ controllers: [controllerState(), routes] });
    await heading();
    expect(screen.getByRole("button", { name: "Adopt…" })).toBeDefined();
  });

  it("names what was already asked for and is not over", async () => {
    const open = intent({ id: "i-3", actor: "Ben", requestedAt: Date.now() - 14 * 60_000 });
    show({ openIntents: [open] });
    await heading();
    const link = screen.getByRole("link", { name: "Hold node w-9" });
    expect(link.getAttribute("href")).toBe("/c/c-1/actions/i-3");
    expect(link.parentElement?.textContent).toMatch(/by Ben 14 min ago and is requested\.$/);
  });
});

describe("the tabs of a node", () => {
  it("stand in the address, and the first one in the shortest", async () => {
    const page = show({});
    await page.user.click(await screen.findByRole("tab", { name: "Lifecycle" }));
    expect(window.location.search).toBe("?tab=lifecycle");
    await page.user.click(screen.getByRole("tab", { name: "Timeline" }));
    expect(window.location.search).toBe("");
  });

  it("are gone through with the arrows, and the focus goes with them", async () => {
    const page = show({});
    (await screen.findByRole("tab", { name: "Timeline" })).focus();
    await page.user.keyboard("{ArrowRight}");
    const facts = screen.getByRole("tab", { name: "Facts" });
    expect(facts.getAttribute("aria-selected")).toBe("true");
    expect(document.activeElement).toBe(facts);
    await page.user.keyboard("{ArrowLeft}{ArrowLeft}");
    expect(document.activeElement).toBe(screen.getByRole("tab", { name: "JSON" }));
  });

  it("count how many facts differ and behind how many load balancers the node is", async () => {
    const [cloud, node] = [nodeFacts({ zone: "b" }), nodeFacts()];
    const answers = { "balancers.ofNode": () => ({ ...NONE, behind: 3, total: 9 }) };
    show({ cloud, node, wanted: cloud }, { answers });
    expect(await screen.findByRole("tab", { name: /^Facts ?1 differ/ })).toBeDefined();
    expect(await screen.findByRole("tab", { name: /^Load balancers ?3/ })).toBeDefined();
  });

  it("say what of an address they do not know, and show the first one", async () => {
    show({}, { tab: "nothing" });
    expect(await screen.findByText(/nothing/)).toBeDefined();
    expect(screen.getByRole("tab", { name: "Timeline" }).getAttribute("aria-selected")).toBe(
      "true",
    );
  });
});

describe("the timeline", () => {
  const done = { state: "done", tries: 1 } as const;

  it("shows each step with its run, and how long the whole took beside the fleet", async () => {
    const timeline = [
      { ...done, step: "registered" as const, startedAt: 0, endedAt: 0 },
      {
        ...done,
        step: "initialised" as const,
        startedAt: 700,
        endedAt: 800,
        runId: "0190-abcdefgh",
      },
    ];
    show({ timeline, fleet: { p50Ms: 100, p95Ms: 400, nodes: 1_000 } });
    expect(await screen.findByText(/^Initialised in 0\.8 s|^Initialised in 800 ms/)).toBeDefined();
    expect(screen.getByText(/Slower than 95.% of this fleet/)).toBeDefined();
    expect(screen.getByRole("link", { name: "run abcdefgh" }).getAttribute("href")).toBe(
      "/c/c-1/runs/0190-abcdefgh",
    );
  });

  it("says of a step that fails how often and why, and of the rest that it is yet to come", async () => {
    const timeline = [
      {
        ...done,
        step: "registered" as const,
        startedAt: Date.now() - 14 * 60_000,
        endedAt: Date.now() - 14 * 60_000,
      },
      {
        step: "found" as const,
        state: "failed" as const,
        tries: 9,
        startedAt: Date.now() - 10 * 60_000,
        reason: NOT_FOUND,
      },
      { step: "initialised" as const, state: "pending" as const, tries: 0 },
    ];
    show({ timeline });
    expect(await screen.findByText(/^Not initialised yet, after 14.min/)).toBeDefined();
    expect(screen.getByText(/9 attempts/)).toBeDefined();
    expect(screen.getAllByText("not yet").length).toBeGreaterThan(0);
  });

  it("says that none is recorded where none is, instead of an empty table", async () => {
    show({});
    expect(await screen.findByText("No initialisation is recorded")).toBeDefined();
  });
});

describe("the facts", () => {
  const cloud = nodeFacts({ zone: "b", instanceType: "m2", requestId: "7f3a9c10" });

  it("say by which rule the cloud's instance was found, and its state in the cloud's words", async () => {
    const explained = "found by its name; Nova says VERIFY_RESIZE";
    show({ cloud: nodeFacts({ explained }), node: nodeFacts(), wanted: cloud }, { tab: "facts" });
    const head = await screen.findByRole("columnheader", { name: /^Cloud says/ });
    expect(head.textContent).toContain(explained);
  });

  it("are those that differ alone, until all are asked for, which is kept in the address", async () => {
    const page = show({ cloud, node: nodeFacts(), wanted: cloud }, { tab: "facts" });
    expect(await screen.findByText(/^2 of \d+ facts differ\.$/)).toBeDefined();
    const shown = screen.getAllByRole("row").length;
    await page.user.click(screen.getByRole("button", { name: "Show all facts" }));
    expect(window.location.search).toBe("?tab=facts&all=1");
    expect(screen.getAllByRole("row").length).toBeGreaterThan(shown);
  });

  it("say where each value is from and as of when, and mark the node's that differ in words", async () => {
    show({ cloud, node: nodeFacts(), wanted: cloud }, { tab: "facts" });
    const head = await screen.findByRole("columnheader", { name: /^Cloud says/ });
    expect(head.textContent).toMatch(/14 min ago.*request.*7f3a9c10/);
    const row = screen.getByRole("row", { name: /^Zone \(differs\)/ });
    expect(
      within(row)
        .getAllByRole("cell")
        .map(({ textContent }) => textContent),
    ).toEqual(["b", "a", "b"]);
  });

  it("that all agree say so", async () => {
    const same = nodeFacts();
    show({ cloud: same, node: same, wanted: same }, { tab: "facts" });
    expect(await screen.findByText("The node has everything that it should have.")).toBeDefined();
  });

  it("that the cloud did not say are compared with nothing, and not called equal", async () => {
    show({ node: nodeFacts() }, { tab: "facts" });
    expect(
      await screen.findByText("Nothing is compared: the cloud's facts are not known."),
    ).toBeDefined();
  });

  it("that nobody knows yet say when they will be there", async () => {
    show({}, { tab: "facts" });
    expect(await screen.findByText("No facts are known yet")).toBeDefined();
  });
});

describe("the lifecycle", () => {
  const answer = async () =>
    (await screen.findByRole("tree", { name: "The cloud's answer" })).textContent;

  it("says of a machine that is gone that it does not exist, though its facts say it ran", async () => {
    const machine = {
      kind: "absent",
      asOf: Date.now() - 14 * 60_000,
      requestId: "7f3a9c10",
    } as const;
    show({ machine, cloud: nodeFacts({ power: "running" }) }, { tab: "lifecycle" });
    await screen.findByText("Cloud says");
    expect(fact("Cloud says")).toMatch(/^it does not exist asked 14 min ago \(request .*7f3a9c10/);
    expect(fact("In the cluster")).toBe("yes");
    expect(await answer()).toMatch(/kind: "absent".*requestId: "7f3a9c10"/);
    expect(await answer(), "facts of a machine that is no more").not.toContain("sandbox://w-1");
  });

  it("has what the cloud answered as it was recorded, with the facts of a machine that exists", async () => {
    const machine = { kind: "stopped", asOf: Date.now() } as const;
    show({ machine, cloud: nodeFacts({ power: "stopped" }) }, { tab: "lifecycle" });
    expect(await answer()).toMatch(/kind: "stopped".*providerID: "sandbox:\/\/w-1"/);
  });

  it("has no answer where the cloud was never asked", async () => {
    show({}, { tab: "lifecycle" });
    await screen.findByText("Cloud says");
    expect(screen.queryByRole("tree")).toBeNull();
  });

  it.each([
    ["True", "Ready"],
    ["False", "not Ready"],
    ["Unknown", "silent"],
    ["Missing", "nothing yet"],
  ])("reads the kubelet's condition %s as %s", async (status, words) => {
    show({ ready: { status, since: undefined } }, { tab: "lifecycle" });
    await screen.findByText("Kubelet says");
    expect(fact("Kubelet says")).toBe(words);
  });

  it("has a card for each controller, with what follows from another's report", async () => {
    const lifecycle = controllerState({
      controller: "cloud-node-lifecycle-controller",
      ...{ state: "stuck", reason: NOT_FOUND, failures: 3 },
    });
    const follows = controllerState({ follows: "cloud-node-lifecycle-controller" });
    show({ controllers: [lifecycle, follows] }, { tab: "lifecycle" });
    expect(await screen.findByText("3 failures in a row.")).toBeDefined();
    expect(screen.getByText(/^It follows from what Node lifecycle reports/i)).toBeDefined();
  });

  it("says where no controller has said anything", async () => {
    show({ controllers: [] }, { tab: "lifecycle" });
    expect(await screen.findByText(/^No controller has reported on this node/)).toBeDefined();
    expect(fact("Cloud says")).toBe("not known");
  });
});

describe("the routes of a node", () => {
  const CELL: RouteCell = {
    cidr: "10.244.1.0/24",
    family: "IPv4",
    verdict: "keep",
    wantedNextHop: "i-1",
  };
  const part = controllerState({
    controller: "node-route-controller",
    ...{ state: "stuck", reason: { code: "RouteMissing", cidr: CELL.cidr }, drift: "drifted" },
  });
  const routes = { kind: "routes", cells: [{ ...CELL, verdict: "missing" }] } as const;
  const running = (name: Parameters<typeof controller>[0]): Answers => {
    const leader = instance({ controllers: [controller(name)] });
    return { "clusters.byId": () => cluster({ leader }), "routes.tables": () => [] };
  };

  it("say what is missing, and can be repaired", async () => {
    show({ controllers: [controllerState(), part], routes }, { tab: "routes" });
    const panel = within(await screen.findByRole("region", { name: "Routes" }));
    expect(panel.getByText(/Node w-1.*10\.244\.1\.0\/24/)).toBeDefined();
    expect(panel.getByRole("button", { name: "Repair routes" })).toBeDefined();
    expect(screen.getByRole("tab", { name: /^Routes ?drifted/ })).toBeDefined();
  });

  it("of a node that is gone cannot be repaired", async () => {
    show({ controllers: [part], routes, goneAt: Date.now() }, { tab: "routes" });
    await screen.findByRole("region", { name: "Routes" });
    expect(screen.queryByRole("button", { name: "Repair routes" })).toBeNull();
  });

  it("are not missing but not looked at where the controller has not come to it yet", async () => {
    show({}, { tab: "routes", answers: running("node-route-controller") });
    expect(await screen.findByText(/has not observed this node yet$/)).toBeDefined();
  });

  it("are nobody's to look at where the route controller does not run", async () => {
    show({}, { tab: "routes", answers: running("cloud-node-controller") });
    expect(await screen.findByText("The route controller is not running here")).toBeDefined();
  });

  it("lie in pod ranges, of which each pool says how many are given", async () => {
    const pools = [
      {
        clusterCIDR: "10.244.0.0/16",
        nodeMask: 24,
        used: 250,
        capacity: 256,
        family: "IPv4" as const,
      },
    ];
    const ranges = { kind: "ranges" as const, podCIDRs: ["10.244.1.0/24"], pools };
    show({ ranges } as Partial<NodeDetail>, { tab: "routes" });
    const panel = within(await screen.findByRole("region", { name: "Pod ranges" }));
    expect(panel.getByText("10.244.1.0/24")).toBeDefined();
    expect(panel.getByText("250 of 256 given")).toBeDefined();
  });
});

describe("the load balancers of a node", () => {
  const row: NodeLoadBalancer = {
    ...{ service: "shop/web", state: "ok", addresses: ["203.0.113.7"] },
    verdict: { node: "w-1", verdict: "out", why: "cordoned" },
  };

  it("lead to the Service's nodes, each with its verdict", async () => {
    const answers = { "balancers.ofNode": () => ({ balancers: [row], behind: 1, total: 1 }) };
    show({}, { tab: "balancers", answers });
    const link = await screen.findByRole("link", { name: "shop/web" });
    expect(link.getAttribute("href")).toMatch(/^\/c\/c-1\/load-balancers\/shop\/web\?.*members/);
    expect(screen.getByText("203.0.113.7")).toBeDefined();
    const table = within(screen.getByRole("table", { name: "Load balancers of w-1" }));
    expect([table.getByText("OK"), table.getByText("Out")].map(hasShape)).toEqual([false, true]);
    expect(screen.getByText(/cordoned/)).toBeDefined();
  });

  it("are none that has judged it, which is said", async () => {
    show({}, { tab: "balancers" });
    expect(await screen.findByText("No load balancer has a verdict for this node")).toBeDefined();
  });

  it("could not be read: the rest of the page stays", async () => {
    const answers = { "balancers.ofNode": refusal("INTERNAL_SERVER_ERROR", "It failed.") };
    show(inState("stuck", NOT_FOUND), { tab: "balancers", answers });
    expect((await screen.findByRole("alert")).textContent).toContain("It failed.");
    expect(screen.getByRole("button", { name: "Retry now" })).toBeDefined();
  });
});

describe("a node that cannot be shown", () => {
  it("is unknown in this cluster: the way to all nodes and to its runs", async () => {
    show({}, { answers: { "nodes.byName": refusal("NOT_FOUND", "No such node.") } });
    expect(await screen.findByText("No node w-1 is known in this cluster")).toBeDefined();
    const runs = screen.getByRole("link", { name: "look for its runs" });
    expect(decodeURIComponent(runs.getAttribute("href") ?? "")).toContain("key:w-1");
  });

  it("says what was recorded of it last, which the audit log keeps for longer than the lists", async () => {
    const unknown = refusal("NOT_FOUND", "No such node.");
    const deleted = () => auditPage([auditEntry(7, { action: "node.delete" })]);
    show({}, { answers: { "nodes.byName": unknown, "audit.list": deleted } });
    expect(await screen.findByText("Delete node")).toBeDefined();
  });

  it("says why it could not be read, and reads it again by a key", async () => {
    const answers = { "nodes.byName": refusal("SERVICE_UNAVAILABLE", "The ledger is down.") };
    const page = show({}, { answers });
    expect((await screen.findByRole("alert")).textContent).toContain("The ledger is down.");
    expect(screen.queryByText(/is known in this cluster/)).toBeNull();
    await page.user.keyboard("r");
    await expect.poll(() => page.sent("nodes.byName")).toHaveLength(2);
  });
});
