// @vitest-environment happy-dom
import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { controller, instance, NO_STATES } from "../../testing/cluster-view.ts";
import { NO_HEALTH } from "../wording/health-messages.ts";
import { serverProbe, showShell } from "./testing/show-shell.tsx";

serverProbe();

describe("the navigation", () => {
  const links = () =>
    within(screen.getByRole("navigation", { name: "Pages" }))
      .getAllByRole("link")
      .map(({ textContent }) => textContent);
  const needing = (needs: Partial<typeof NO_HEALTH.needs>) => ({
    health: { ...NO_HEALTH, needs: { ...NO_HEALTH.needs, ...needs } },
  });

  it("has badges only for what needs a user, with words beside the number", async () => {
    showShell({ ...needing({ stuck: { Node: 2, Service: 1, LoadBalancer: 1 } }), openIntents: 3 });
    await screen.findByText("open");
    expect(links().filter((link) => /\d/.test(link))).toEqual([
      ...["Nodes2 stuck", "Load balancers2 stuck", "Actions3 open"],
    ]);
    expect(links()).toContain("Routes");
  });

  it("counts held deletions among the nodes, and says so", async () => {
    showShell(needing({ stuck: { Node: 1 }, held: 3 }));
    expect(await screen.findByText("stuck or held back")).toBeDefined();
  });

  it.each([
    ["those that need somebody", { stuck: { Node: 2 } }, "?state=stuck,unknown"],
    ["those held back as well", { held: 3 }, "?state=stuck,unknown,held"],
    ["all nodes while none needs anybody", { stuck: { Service: 1 } }, ""],
  ])("leads to %s, as its key does", async (_what, needs, query) => {
    const { page } = showShell(needing(needs), { address: "/c/c-1/runs" });
    const nodes = within(screen.getByRole("navigation", { name: "Pages" })).getByRole("link", {
      name: /^Nodes/,
    });
    await expect.poll(() => nodes.getAttribute("href")).toBe(`/c/c-1/nodes${query}`);
    await page.user.keyboard("gn");
    expect(window.location.pathname + window.location.search).toBe(`/c/c-1/nodes${query}`);
  });

  it("lists volumes if there are any, and the takeover while something waits", async () => {
    showShell({
      volumes: { states: { ...NO_STATES, ok: 1 }, drifted: 0 },
      waiting: { balancers: 1, routes: 2 },
    });
    await screen.findByText("Volumes");
    expect(links()).toContain("Takeover3 wait for consent");
  });

  it("lists volumes also if only their controller runs", async () => {
    showShell({ leader: instance({ controllers: [controller("volume-label-controller")] }) });
    expect(await screen.findByText("Volumes")).toBeDefined();
  });

  it("marks the current page, also below its address", async () => {
    showShell({}, { address: "/c/c-1/nodes/w-1" });
    await screen.findByText("read");
    const current = screen.getAllByRole("link", { current: "page" });
    expect(current.map(({ textContent }) => textContent)).toEqual(["Nodes"]);
  });

  it("marks the nodes also while its link leads to some of them", async () => {
    showShell(needing({ stuck: { Node: 2 } }), { address: "/c/c-1/nodes" });
    await screen.findByText("stuck");
    const [current] = screen.getAllByRole("link", { current: "page" });
    expect(current?.textContent).toBe("Nodes2 stuck");
  });

  it("counts permissions that the leader lacks", async () => {
    showShell({ leader: instance({ missingPermissions: ["nodes patch", "nodes get"] }) });
    expect(await screen.findByText("permissions missing")).toBeDefined();
  });
});
