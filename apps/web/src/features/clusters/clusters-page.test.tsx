// @vitest-environment happy-dom

import type { FoundInFleet, SharedCause } from "@cloudwright/store/views/fleet";
import { act, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { palette } from "../../platform/shell/palette/palette-request.ts";
import { NO_HEALTH } from "../../platform/wording/health-messages.ts";
import { cluster, instance } from "../../testing/cluster-view.ts";
import { ANA, type Answers, refusal, renderPage } from "../../testing/render-page.tsx";
import { hasShape } from "../../testing/shapes.ts";
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

function show(
  clusters: readonly ReturnType<typeof cluster>[],
  answers: Answers = {},
  address = "/",
) {
  return renderPage(<ClustersPage viewer={ANA} />, {
    address,
    answers: { "clusters.list": () => clusters, ...answers },
  });
}

const names = () =>
  screen
    .getAllByRole("link")
    .map((link) => link.getAttribute("href"))
    .filter((href) => href?.startsWith("/c/"));

describe("Ctrl+K", () => {
  afterEach(() => act(() => palette.close()));

  async function openPalette(answers: Answers = {}) {
    const page = show([PROD, STUCK], answers);
    await screen.findByText(/2 nodes need you/);
    await page.user.keyboard("{Control>}k{/Control}");
    const name = "Search or jump";
    const box = await screen.findByRole("textbox", { name }, { timeout: 10_000 });
    return { page, box };
  }

  it("is named on a button that does the same", async () => {
    const page = show([PROD, STUCK]);
    await screen.findByText(/2 nodes need you/);
    await page.user.click(screen.getByRole("button", { name: "Search or jump… Ctrl K" }));
    const name = "Search or jump";
    expect(await screen.findByRole("textbox", { name }, { timeout: 10_000 })).toBeDefined();
  });

  it("goes to one of the clusters, or to the settings", async () => {
    const { page, box } = await openPalette();
    expect(await screen.findByRole("button", { name: /^Settings: appearance/ })).toBeDefined();
    await page.user.type(box, "tes");
    await page.user.click(await screen.findByRole("button", { name: /^test/ }));
    await expect.poll(() => window.location.pathname).toBe("/c/c-2");
  });

  it("finds what a text means in any of them", async () => {
    const node = { kind: "Node", name: "w-9", uid: "u-9", state: "ok" } as const;
    const found = {
      objects: [{ ...node, providerID: undefined, address: undefined }],
      ...{ runs: [], runCount: 0, intentId: undefined },
    };
    const { page, box } = await openPalette({
      "fleet.find": () =>
        ({
          clusters: [{ cluster: "c-1", name: "prod", found }],
          searched: 2,
        }) satisfies FoundInFleet,
    });
    await page.user.type(box, "w-9");
    await page.user.click(await screen.findByRole("button", { name: /^w-9/ }));
    await expect.poll(() => window.location.pathname).toBe("/c/c-1/nodes/w-9");
  });
});

describe("the list of clusters", () => {
  it("has the worst first, whatever their names", async () => {
    show([PROD, STUCK, SILENT]);
    await screen.findByText(/2 nodes need you/);
    expect(names()).toEqual(["/c/c-2", "/c/c-3", "/c/c-1"]);
  });

  it("says of a cluster with a silent leader that its state is unknown, however healthy it was", async () => {
    show([PROD, SILENT]);
    expect((await screen.findAllByText(/Unknown/)).length).toBeGreaterThan(0);
    expect(screen.getAllByText(/14.min/).length).toBeGreaterThan(0);
  });

  it("goes straight to the only cluster, as there is nothing to choose", async () => {
    show([PROD]);
    await expect.poll(() => window.location.pathname).toBe("/c/c-1");
  });

  it("stays open if there are several", async () => {
    show([PROD, STUCK]);
    await screen.findByText(/2 nodes need you/);
    expect(window.location.pathname).toBe("/");
  });

  it("says how to get the first one if there is none", async () => {
    show([]);
    expect(await screen.findByText(/No cluster has reported/)).toBeDefined();
  });

  it("says why it could not be read, not that there is none", async () => {
    const page = show([], {
      "clusters.list": refusal("SERVICE_UNAVAILABLE", "The ledger is down."),
    });
    expect((await screen.findByRole("alert")).textContent).toContain("The ledger is down.");
    expect(screen.queryByText(/No cluster has reported/)).toBeNull();
    await page.user.click(screen.getByRole("button", { name: "Try again" }));
    await expect.poll(() => page.sent("clusters.list").length).toBeGreaterThan(1);
  });
});

const QUOTA = { code: "Other", name: "QuotaReached", text: "No machine is left" } as const;

function member(name: string, since: number) {
  return { kind: "Node", name, uid: `u-${name}`, since, reason: QUOTA };
}

const CAUSE: SharedCause = {
  ...{ id: "stuck QuotaReached", kind: "stuck", code: "QuotaReached", count: 8, since: 1_000 },
  clusters: [
    {
      ...{ cluster: "c-2", name: "test", count: 7, since: 2_000, kinds: { Node: 7 } },
      members: [member("w-1", 2_000), member("w-2", 3_000)],
    },
    {
      ...{ cluster: "c-3", name: "old", count: 1, since: 1_000, kinds: { Node: 1 } },
      members: [member("w-9", 1_000)],
    },
  ],
};

describe("each row", () => {
  it("names the leader with its lag, and the time of the last record", async () => {
    const leader = instance({ identity: "ctl-7", version: "1.4.0", ledgerLagMs: 250 });
    show([STUCK, cluster({ ...PROD, leader })]);
    const row = (await screen.findByRole("link", { name: "prod" })).closest("li");
    expect(row?.textContent).toMatch(/Leader ctl-7 · 1\.4\.0Lag 250.ms · Last record ./);
  });

  it("has a shape only if not all is well", async () => {
    const { Node, Service } = NO_HEALTH.coverage;
    const coverage = { Node: { ...Node, present: 1, reported: 1 }, Service };
    show([cluster({ ...PROD, health: { ...NO_HEALTH, coverage } }), STUCK]);
    const rows = within(await screen.findByRole("list"));
    expect(hasShape(rows.getByText("OK"))).toBe(false);
    expect(hasShape(rows.getByText("Stuck"))).toBe(true);
  });

  it("is below one sentence about all of them", async () => {
    show([PROD, STUCK, SILENT]);
    await screen.findByText("1 of 3 clusters needs you. The state of 1 is unknown.");
  });
});

describe("a cause shared by several clusters", () => {
  it("is shown once, with its objects in each cluster and a link to all of them", async () => {
    show([PROD, STUCK, SILENT], { "fleet.causes": () => [CAUSE] });
    const causes = within(await screen.findByRole("region", { name: /Same cause/ }));
    expect(causes.getByText("Same cause in 2 clusters: 8 nodes")).toBeDefined();
    expect(causes.getByText(/No machine is left/)).toBeDefined();
    const href = (name: string) => causes.getByRole("link", { name }).getAttribute("href");
    expect(href("w-1")).toBe("/c/c-2/nodes/w-1");
    expect(href("and 5 more")).toBe("/c/c-2/nodes?state=stuck&reason=QuotaReached");
    expect(href("w-9")).toBe("/c/c-3/nodes/w-9");
  });

  it("shows how old the share of a silent cluster is", async () => {
    show([PROD, STUCK, SILENT], { "fleet.causes": () => [CAUSE] });
    const causes = within(await screen.findByRole("region", { name: /Same cause/ }));
    const silent = causes.getByRole("link", { name: "old" }).closest("li");
    expect(silent?.textContent).toContain("Current state unknown; as of");
    const heard = causes.getByRole("link", { name: "test" }).closest("li");
    expect(heard?.textContent).not.toContain("unknown");
  });

  it("is replaced by a note if it could not be read", async () => {
    show([PROD, STUCK], { "fleet.causes": refusal("INTERNAL_SERVER_ERROR", "It failed.") });
    const causes = await screen.findByRole("region", { name: "Same cause in several clusters" });
    expect(within(causes).getByRole("alert").textContent).toContain("It failed.");
  });

  it("is absent if there is none", async () => {
    const page = show([PROD, STUCK], { "fleet.causes": () => [] });
    await screen.findByText(/2 nodes need you/);
    await expect.poll(() => page.sent("fleet.causes").length).toBe(1);
    expect(screen.queryByRole("region", { name: /Same cause/ })).toBeNull();
  });
});

describe("the search of all clusters", () => {
  const FOUND: FoundInFleet = {
    searched: 2,
    clusters: [
      {
        ...{ cluster: "c-2", name: "test" },
        found: {
          ...{ runs: [], runCount: 0, intentId: undefined },
          objects: [
            {
              ...{ kind: "Node", name: "w-1", uid: "u-1", state: "stuck", address: undefined },
              providerID: "sandbox://i-4711",
            },
          ],
        },
      },
    ],
  };

  it("finds what a text means, grouped by cluster, and keeps it in the address", async () => {
    const page = show([PROD, STUCK], { "fleet.find": () => FOUND, "fleet.causes": () => [] });
    await page.user.type(
      await screen.findByRole("searchbox", { name: "Search all clusters" }),
      "i-4711",
    );
    const found = within(await screen.findByRole("region", { name: "test" }));
    const link = found.getByRole("link", { name: "w-1" });
    expect(link.getAttribute("href")).toBe("/c/c-2/nodes/w-1");
    expect(found.getByText(/sandbox:\/\/i-4711/)).toBeDefined();
    expect(screen.getByText("Found in 1 of 2 clusters.")).toBeDefined();
    expect(window.location.search).toBe("?q=i-4711");
    expect(page.sent("fleet.find").at(-1)).toEqual({ text: "i-4711" });
  });

  it("says what can be found if nothing is", async () => {
    const nothing: FoundInFleet = { searched: 2, clusters: [] };
    show([PROD, STUCK], { "fleet.find": () => nothing }, "/?q=none-such");
    expect(await screen.findByText("Nothing found for “none-such”")).toBeDefined();
  });

  it("says why it could not search", async () => {
    const answers = { "fleet.find": refusal("SERVICE_UNAVAILABLE", "The ledger is down.") };
    show([PROD, STUCK], answers, "/?q=w-1");
    expect((await screen.findByRole("alert")).textContent).toContain("The ledger is down.");
  });
});
