// @vitest-environment happy-dom
import type { ClusterView } from "@cloudwright/store/views/clusters";
import type { ControllerActivity } from "@cloudwright/store/views/controllers";
import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { cluster, controller, instance } from "../../testing/cluster-view.ts";
import { type Answers, refusal, renderPage } from "../../testing/render-page.tsx";
import { hasShape } from "../../testing/shapes.ts";
import { Stale } from "../../testing/stale.tsx";
import { ControllersPage } from "./controllers-page.tsx";

const ACTIVITY: ControllerActivity = {
  ...{ controller: "cloud-node-controller", runs: 1_200, failed: 3 },
  newestAt: Date.now() - 14 * 60_000,
};

function show(view: Partial<ClusterView> = {}, answers: Answers = {}) {
  return renderPage(<ControllersPage />, {
    address: "/c/c-1/controllers",
    answers: {
      "clusters.byId": () => cluster(view),
      "controllers.activity": () => [ACTIVITY],
      ...answers,
    },
  });
}

const region = (name: string) => screen.findByRole("region", { name });
const factIn = (panel: HTMLElement, term: string) =>
  within(panel).getByText(term, { selector: "dt" }).nextElementSibling?.textContent;

describe("the running controllers", () => {
  it("show how many runs they had, how many failed, and link to exactly those runs", async () => {
    show();
    const running = await region("Running");
    await expect.poll(() => factIn(running, "Runs, last hour")).toBe("1,200 runs · 3 failed");
    expect(factIn(running, "Newest run")).toBe("14 min ago");
    const failed = within(running).getByRole("link", { name: "3 failed" }).getAttribute("href");
    expect(decodeURIComponent(failed ?? "")).toMatch(
      /outcome:failed outcome:timedOut outcome:blocked&from=-1h$/,
    );
  });

  it("say nothing about runs before those are counted: neither that there are none nor when", async () => {
    show({}, { "controllers.activity": () => new Promise(() => undefined) });
    const running = await region("Running");
    expect(factIn(running, "Runs, last hour")).toBe("…");
    expect(factIn(running, "Newest run")).toBe("…");
  });

  it("say that their runs could not be counted, next to everything else that is known", async () => {
    const leader = instance({
      controllers: [controller("cloud-node-controller", { queueDepth: 7 })],
    });
    show({ leader }, { "controllers.activity": refusal("INTERNAL_SERVER_ERROR", "It failed.") });
    const running = await region("Running");
    expect(await within(running).findByText(/could not be counted/)).toBeDefined();
    expect(factIn(running, "Queued")).toMatch(/^7/);
    expect(factIn(running, "Runs, last hour")).toBe("not known");
    expect(factIn(running, "Newest run")).toBe("not known");
  });

  it("distinguish a controller without runs from one whose runs are unknown", async () => {
    show(
      {},
      { "controllers.activity": () => [{ ...ACTIVITY, runs: 0, failed: 0, newestAt: undefined }] },
    );
    const running = await region("Running");
    await expect.poll(() => factIn(running, "Newest run")).toBe("none kept");
    expect(factIn(running, "Runs, last hour")).toBe("0 runs");
  });

  it("say who paused one, and what failed last", async () => {
    const paused = { by: "Ben", why: "disk work", until: Date.now() + 600_000 };
    const loop = controller("cloud-node-controller", {
      paused,
      lastError: "No answer from the cloud.",
    });
    show({ leader: instance({ controllers: [loop] }) });
    const running = await region("Running");
    expect(within(running).getByText(/^Paused by Ben/).textContent).toMatch(/“disk work”/);
    expect(within(running).getByText("No answer from the cloud.")).toBeDefined();
  });

  it("have a shape only if they are not idle", async () => {
    const loops = [
      controller("cloud-node-controller", { queueDepth: 0 }),
      controller("node-route-controller", { queueDepth: 3 }),
    ];
    show({ leader: instance({ controllers: loops }) });
    const running = within(await region("Running"));
    expect(hasShape(running.getByText("Idle"))).toBe(false);
    expect(hasShape(running.getByText("Working"))).toBe(true);
  });

  it("run under a Lease, or without an election", async () => {
    show({ leader: instance({ lease: "kube-system/ccm" }) });
    expect(factIn(await region("Running"), "Lease")).toBe("kube-system/ccm, term 4");
  });

  it("show no term beside a Lease of their own: the leader's term belongs to another Lease", async () => {
    const loop = controller("cloud-node-controller", { lease: "kube-system/own" });
    show({ leader: instance({ lease: "kube-system/ccm", controllers: [loop] }) });
    expect(factIn(await region("Running"), "Lease")).toBe("kube-system/own");
  });
});

describe("the controllers that do not run", () => {
  it("say why, each separately", async () => {
    show();
    const idle = await region("Not running here");
    expect(within(idle).getByText("node-route-controller")).toBeDefined();
    expect(within(idle).queryByText("cloud-node-controller")).toBeNull();
  });
});

describe("permissions that the leader lacks", () => {
  it("are named, with their consequences", async () => {
    show({ leader: instance({ missingPermissions: ["patch nodes/status"] }) });
    const panel = await region("Missing permissions");
    expect(within(panel).getByText("patch nodes/status")).toBeDefined();
    expect(panel.textContent).toMatch(/refuses the leader 1 permission\./);
  });

  it("are not mentioned if none is missing, or if nobody has checked", async () => {
    show({ leader: instance({ missingPermissions: undefined }) });
    await region("Running");
    expect(screen.queryByRole("region", { name: "Missing permissions" })).toBeNull();
  });
});

describe("the processes", () => {
  it("say which leads, when each reported and what it has not recorded yet", async () => {
    const leader = instance({ startedAt: Date.now() - 14 * 60_000 });
    const standby = instance({
      identity: "ctl-2_bb",
      leader: false,
      spoolBytes: 2_048,
      ledgerLagMs: 90_000,
    });
    show({ leader, instances: [leader, standby] });
    const items = within(await region("Processes")).getAllByRole("listitem");
    expect(items.map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^ctl-1.*Started14 min ago.*Waiting to be recordednothing$/i),
      expect.stringMatching(/^ctl-2.*the oldest for 2.min/),
    ]);
  });
});

describe("a cluster without a leader", () => {
  it("says so and what to check, and pauses nothing", async () => {
    const standby = instance({ leader: false });
    show({ leader: undefined, instances: [standby] });
    expect(await screen.findByText("No controller leads")).toBeDefined();
    expect(screen.queryByRole("region", { name: "Running" })).toBeNull();
    expect(screen.queryByRole("region", { name: "Safety" })).toBeNull();
    expect(await region("Processes")).toBeDefined();
  });

  it("whose leader fell silent is not said to run: its current state is unknown", async () => {
    renderPage(
      <Stale>
        <ControllersPage />
      </Stale>,
      {
        address: "/c/c-1/controllers",
        answers: { "clusters.byId": () => cluster(), "controllers.activity": () => [ACTIVITY] },
      },
    );
    const running = await region("Running");
    expect(within(running).getByText("Unknown")).toBeDefined();
    expect(screen.getByText(/^Current state unknown; as of/)).toBeDefined();
  });

  it("that could not be read says why, and is refetched by a key", async () => {
    const page = show(
      {},
      { "clusters.byId": refusal("SERVICE_UNAVAILABLE", "The ledger is down.") },
    );
    expect((await screen.findByRole("alert")).textContent).toContain("The ledger is down.");
    await page.user.keyboard("r");
    await expect.poll(() => page.sent("clusters.byId")).toHaveLength(2);
  });
});
