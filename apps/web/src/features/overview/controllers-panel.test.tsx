// @vitest-environment happy-dom
import type { GuardStatus } from "@cloudwright/core/model/controls";
import type { ClusterView } from "@cloudwright/store/views/clusters";
import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { cluster, controller, instance } from "../../testing/cluster-view.ts";
import { renderPage } from "../../testing/render-page.tsx";
import { Stale } from "../../testing/stale.tsx";
import { ControllersPanel } from "./controllers-panel.tsx";

const GUARD: GuardStatus = { limit: 5, windowMs: 600_000, deleted: 2, held: [] };

function show(view: Partial<ClusterView>, isOld = false) {
  const panel = <ControllersPanel />;
  return renderPage(isOld ? <Stale>{panel}</Stale> : panel, {
    address: "/c/c-1",
    answers: { "clusters.byId": () => cluster(view) },
  });
}

function ledBy(over: Parameters<typeof instance>[0]): Partial<ClusterView> {
  const leader = instance(over);
  return { leader, instances: [leader] };
}

const line = async () => within((await screen.findAllByRole("listitem"))[0] as HTMLElement);

describe("a controller of the overview", () => {
  it("is idle while nothing waits, and links to its runs", async () => {
    show(ledBy({ controllers: [controller("cloud-node-controller")] }));
    const { getByText, getByRole, queryByText } = await line();
    expect(getByText("Idle")).toBeDefined();
    expect(queryByText(/queued/)).toBeNull();
    expect(decodeURIComponent(getByRole("link").getAttribute("href") ?? "")).toBe(
      "/c/c-1/runs?q=controller:node",
    );
  });

  it("shows how much waits, and how long the oldest has", async () => {
    const waiting = { queueDepth: 1_200, oldestMs: 14 * 60_000 };
    show(ledBy({ controllers: [controller("cloud-node-controller", waiting)] }));
    expect((await line()).getByText(/^1,200.queued, the oldest for 14.min$/)).toBeDefined();
  });

  it("shows its last error before what waits", async () => {
    const failed = { queueDepth: 3, lastError: "the cloud answered with 503" };
    show(ledBy({ controllers: [controller("cloud-node-controller", failed)] }));
    const { getByText, queryByText } = await line();
    expect(getByText("Last error: the cloud answered with 503")).toBeDefined();
    expect(queryByText(/queued/)).toBeNull();
  });

  it("shows who paused it and why before its last error", async () => {
    const paused = { by: "Ben", why: "disk work", until: Date.now() + 600_000 };
    const both = { paused, lastError: "the cloud answered with 503" };
    show(ledBy({ controllers: [controller("cloud-node-controller", both)] }));
    const { getByText, queryByText } = await line();
    expect(getByText("Paused")).toBeDefined();
    expect(getByText(/^by Ben until .*: disk work$/)).toBeDefined();
    expect(queryByText(/503/)).toBeNull();
  });

  it("is not said to be idle while the data is stale", async () => {
    show(ledBy({ controllers: [controller("cloud-node-controller")] }), true);
    const { queryByText, getByText } = await line();
    expect(getByText("Unknown")).toBeDefined();
    expect(queryByText("Idle")).toBeNull();
  });
});

it("nothing is reconciled without a leader, which is said once it is known", async () => {
  show({ leader: undefined });
  expect(screen.queryByText(/No controller leads/)).toBeNull();
  expect(await screen.findByText(/^No controller leads/)).toBeDefined();
});

describe("the deletion guard of the overview", () => {
  const guardLine = () => screen.findByText(/^Deletion guard:/);

  it("says how many of how many nodes were deleted", async () => {
    show(ledBy({ controls: { pauses: [], guard: GUARD } }));
    const { textContent } = await guardLine();
    expect(textContent).toMatch(/2.of at most 5.nodes deleted within 10.min\.$/);
  });

  it("counts what it holds, also what is not listed, and says when its window ends", async () => {
    const held = [{ name: "w-1", uid: "u", since: 0, because: "Gone." }];
    const windowEndsAt = Date.now() + 240_000;
    const guard = { ...GUARD, deleted: 5, held, heldCount: 41, windowEndsAt };
    show(ledBy({ controls: { pauses: [], guard } }));
    const { textContent } = await guardLine();
    expect(textContent).toMatch(/41.held\. This window ends in (4.min|3.min 59.s)\.$/);
  });

  it("is not mentioned if it is off", async () => {
    show(ledBy({ controls: { pauses: [] } }));
    await line();
    expect(screen.queryByText(/^Deletion guard/)).toBeNull();
  });
});
