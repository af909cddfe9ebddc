// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { NO_HEALTH } from "../../platform/wording/health-messages.ts";
import { cluster, instance } from "../../testing/cluster-view.ts";
import { type Answers, refusal, renderPage } from "../../testing/render-page.tsx";
import { ClustersPage } from "./clusters-page.tsx";

beforeEach(() => {
  vi.stubGlobal("fetch", () => Promise.resolve(new Response('{"database":"ok"}')));
});
afterEach(() => vi.unstubAllGlobals());

const PROD = cluster({ id: "c-1", name: "prod" });
const STUCK = cluster({
  ...{ id: "c-2", name: "test" },
  health: { ...NO_HEALTH, needs: { ...NO_HEALTH.needs, stuck: { Node: 2 } } },
});
const SILENT_SINCE = Date.now() - 14 * 60_000;
const SILENT = cluster({
  ...{ id: "c-3", name: "old", lastHeardAt: SILENT_SINCE },
  leader: instance({ heardAt: SILENT_SINCE }),
});

function show(clusters: readonly ReturnType<typeof cluster>[], answers: Answers = {}) {
  return renderPage(<ClustersPage />, {
    answers: { "clusters.list": () => clusters, ...answers },
  });
}

const names = () =>
  screen
    .getAllByRole("link")
    .map((link) => link.getAttribute("href"))
    .filter((href) => href?.startsWith("/c/"));

describe("the list of clusters", () => {
  it("has the worst first, whatever their names", async () => {
    show([PROD, STUCK, SILENT]);
    await screen.findByText(/2 nodes need you/);
    expect(names()).toEqual(["/c/c-2", "/c/c-3", "/c/c-1"]);
  });

  it("says of one whose leader fell silent that it is unknown, however well it was", async () => {
    show([PROD, SILENT]);
    expect((await screen.findAllByText(/Unknown/)).length).toBeGreaterThan(0);
    expect(screen.getAllByText(/14.min/).length).toBeGreaterThan(0);
  });

  it("goes straight to the only one: there is nothing to choose", async () => {
    show([PROD]);
    await expect.poll(() => window.location.pathname).toBe("/c/c-1");
  });

  it("stays where there are several", async () => {
    show([PROD, STUCK]);
    await screen.findByText(/2 nodes need you/);
    expect(window.location.pathname).toBe("/");
  });

  it("says how the first one comes where there is none", async () => {
    show([]);
    expect(await screen.findByText(/No cluster has reported/)).toBeDefined();
  });

  it("says why it could not be read, and not that there is none", async () => {
    const page = show([], {
      "clusters.list": refusal("SERVICE_UNAVAILABLE", "The ledger is down."),
    });
    expect((await screen.findByRole("alert")).textContent).toContain("The ledger is down.");
    expect(screen.queryByText(/No cluster has reported/)).toBeNull();
    await page.user.click(screen.getByRole("button", { name: "Try again" }));
    await expect.poll(() => page.sent("clusters.list").length).toBeGreaterThan(1);
  });
});
