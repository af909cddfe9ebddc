// @vitest-environment happy-dom
import type { RouteCell } from "@cloudwright/core/model/records/route-record";
import type { NodeLoadBalancer } from "@cloudwright/store/views/load-balancers";
import type { NodeDetail } from "@cloudwright/store/views/node-detail";
import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { cluster, controller, instance } from "../../../testing/cluster-view.ts";
import { controllerState, nodeFacts } from "../../../testing/node-detail.ts";
import { type Answers, refusal } from "../../../testing/render-page.tsx";
import { hasShape } from "../../../testing/shapes.ts";
import { fact, inState, NONE, NOT_FOUND, show } from "../testing/node-page.tsx";

describe("the tabs of a node", () => {
  it("are in the address, where the first one is the default", async () => {
    const page = show({});
    await page.user.click(await screen.findByRole("tab", { name: "Lifecycle" }));
    expect(window.location.search).toBe("?tab=lifecycle");
    await page.user.click(screen.getByRole("tab", { name: "Timeline" }));
    expect(window.location.search).toBe("");
  });

  it("are navigated with the arrow keys, and the focus follows", async () => {
    const page = show({});
    (await screen.findByRole("tab", { name: "Timeline" })).focus();
    await page.user.keyboard("{ArrowRight}");
    const facts = screen.getByRole("tab", { name: "Facts" });
    expect(facts.getAttribute("aria-selected")).toBe("true");
    expect(document.activeElement).toBe(facts);
    await page.user.keyboard("{ArrowLeft}{ArrowLeft}");
    expect(document.activeElement).toBe(screen.getByRole("tab", { name: "JSON" }));
  });

  it("show how many facts differ and how many load balancers use the node", async () => {
    const [cloud, node] = [nodeFacts({ zone: "b" }), nodeFacts()];
    const answers = { "balancers.ofNode": () => ({ ...NONE, behind: 3, total: 9 }) };
    show({ cloud, node, wanted: cloud }, { answers });
    expect(await screen.findByRole("tab", { name: /^Facts ?1 differ/ })).toBeDefined();
    expect(await screen.findByRole("tab", { name: /^Load balancers ?3/ })).toBeDefined();
  });

  it("report an unknown tab in the address, and show the first one", async () => {
    show({}, { tab: "nothing" });
    expect(await screen.findByText(/nothing/)).toBeDefined();
    expect(screen.getByRole("tab", { name: "Timeline" }).getAttribute("aria-selected")).toBe(
      "true",
    );
  });
});

describe("the lifecycle", () => {
  const answer = async () =>
    (await screen.findByRole("tree", { name: "The cloud's answer" })).textContent;

  it("says that a deleted machine does not exist, although its facts say that it ran", async () => {
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

  it("has the cloud's recorded answer, with the facts of an existing machine", async () => {
    const machine = { kind: "stopped", asOf: Date.now() } as const;
    show({ machine, cloud: nodeFacts({ power: "stopped" }) }, { tab: "lifecycle" });
    expect(await answer()).toMatch(/kind: "stopped".*providerID: "sandbox:\/\/w-1"/);
  });

  it("has no answer if the cloud was never asked", async () => {
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

  it("says when no controller has reported anything", async () => {
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

  it("of a deleted node cannot be repaired", async () => {
    show({ controllers: [part], routes, goneAt: Date.now() }, { tab: "routes" });
    await screen.findByRole("region", { name: "Routes" });
    expect(screen.queryByRole("button", { name: "Repair routes" })).toBeNull();
  });

  it("are not called missing if the controller has not checked them yet", async () => {
    show({}, { tab: "routes", answers: running("node-route-controller") });
    expect(await screen.findByText(/has not observed this node yet$/)).toBeDefined();
  });

  it("are not checked at all if the route controller does not run", async () => {
    show({}, { tab: "routes", answers: running("cloud-node-controller") });
    expect(await screen.findByText("The route controller is not running here")).toBeDefined();
  });

  it("are in pod ranges, and each pool shows how many of its ranges are assigned", async () => {
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

  it("link to the Service's nodes, each with its verdict", async () => {
    const answers = { "balancers.ofNode": () => ({ balancers: [row], behind: 1, total: 1 }) };
    show({}, { tab: "balancers", answers });
    const link = await screen.findByRole("link", { name: "shop/web" });
    expect(link.getAttribute("href")).toMatch(/^\/c\/c-1\/load-balancers\/shop\/web\?.*members/);
    expect(screen.getByText("203.0.113.7")).toBeDefined();
    const table = within(screen.getByRole("table", { name: "Load balancers of w-1" }));
    expect([table.getByText("OK"), table.getByText("Out")].map(hasShape)).toEqual([false, true]);
    expect(screen.getByText(/^Cordoned/)).toBeDefined();
  });

  it("say so if none has judged it", async () => {
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
