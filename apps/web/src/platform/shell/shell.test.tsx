// @vitest-environment happy-dom
import { act, screen, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { changePreferences } from "../../components/preferences.ts";
import { instance } from "../../testing/cluster-view.ts";
import { refusal } from "../../testing/render-page.tsx";
import { viewAs } from "../viewer/view-as.ts";
import { serverProbe, showShell } from "./testing/show-shell.tsx";

const probe = serverProbe();

const live = () => screen.getByRole("button", { name: /(pause|resume) updates$/ });
const reads = (page: ReturnType<typeof showShell>["page"]) =>
  page.sent("controllers.activity").length;
const frame = () => new Promise((resolve) => requestAnimationFrame(() => resolve(undefined)));

describe("the stream of changes", () => {
  it("is connecting until it is open, and live from then on", async () => {
    const { stream } = showShell();
    expect(live().getAttribute("aria-label")).toBe("Connecting, pause updates");
    await screen.findByText("read");
    act(() => stream.open());
    expect(live().getAttribute("aria-label")).toBe("Live, pause updates");
  });

  it("refetches exactly what has changed", async () => {
    const { page, stream } = showShell();
    await screen.findByText("read");
    act(() => stream.open());
    act(() => stream.change("budget"));
    await act(frame);
    expect(reads(page)).toBe(1);
    act(() => stream.change("nodes", "instances"));
    await expect.poll(() => page.sent("clusters.byId").length).toBe(2);
    expect(reads(page)).toBe(1);
  });

  it("shows how long it has been lost, while the page keeps its data; the server is probed at once", async () => {
    const { stream } = showShell();
    await screen.findByText("read");
    act(() => stream.open());
    act(() => stream.change("budget"));
    act(() => stream.lose());
    expect(live().getAttribute("aria-label")).toMatch(/^Reconnecting \(1 s\)/);
    expect(screen.getByText("read")).toBeDefined();
    act(() => stream.open());
    expect(live().getAttribute("aria-label")).toBe("Live, pause updates");
  });

  it("is paused by a key, collects changes in the meantime, and catches up on resuming", async () => {
    const { page, stream } = showShell();
    await screen.findByText("read");
    act(() => stream.open());
    await page.user.keyboard("p");
    expect(live().getAttribute("aria-label")).toBe("Paused, resume updates");
    act(() => stream.change("instances"));
    await act(frame);
    expect(page.sent("clusters.byId")).toHaveLength(1);
    await page.user.click(live());
    await expect.poll(() => page.sent("clusters.byId").length).toBe(2);
  });

  it("is requested again later if there was no free slot", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    try {
      const { stream } = showShell();
      await screen.findByText("read");
      act(() => stream.refuse("TOO_MANY_REQUESTS", "Too many pages are open."));
      expect(stream.requested()).toBe(1);
      await act(() => vi.advanceTimersByTimeAsync(15_000));
      expect(stream.requested()).toBe(2);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("the frame's freshness note", () => {
  it("is absent while all is well", async () => {
    showShell();
    await screen.findByText("read");
    expect(screen.queryByText(/may be out of date|last reported at/)).toBeNull();
    expect(screen.getByText("Data as of")).toBeDefined();
  });

  it("says that the leader fell silent, and the whole page counts as stale", async () => {
    const leader = instance({ heardAt: Date.now() - 120_000 });
    showShell({ leader, lastHeardAt: leader.heardAt });
    expect(
      await screen.findByText(/^The leader ctl-1.* last reported at .*current state unknown/),
    ).toBeDefined();
    expect(live().getAttribute("aria-label")).toMatch(/^Stale since/);
    expect(screen.getByText("Last updated")).toBeDefined();
  });

  it("says that there is no leader: actions wait", async () => {
    showShell({ leader: undefined });
    expect(await screen.findByText(/^No controller leads: nothing is reconciled/)).toBeDefined();
  });

  it("does not call a leader silent because this browser's clock is wrong, and says that it is", async () => {
    const wrong = Date.now() - 3_600_000;
    const leader = instance({ heardAt: wrong });
    showShell({ leader, lastHeardAt: wrong, ...{ serverNow: wrong } });
    expect(
      await screen.findByText(/^This browser's clock differs by 36\d\d s from the server's/),
    ).toBeDefined();
    expect(screen.queryByText(/last reported at/)).toBeNull();
  });

  it("says that the database is unreachable, whatever the page still shows", async () => {
    probe.set({ database: "unreachable" });
    showShell();
    expect(
      await screen.findByText(/^The dashboard's server cannot reach its database/),
    ).toBeDefined();
  });

  it("says that the leader's controller is in dry run", async () => {
    showShell({ leader: instance({ dryRun: true }) });
    expect(await screen.findByText(/^This controller is in dry run/)).toBeDefined();
  });
});

describe("the line of the cluster's state", () => {
  const line = async () => {
    await screen.findByText("Leader");
    return screen.getByRole("region", { name: "State of the cluster" }).textContent;
  };

  it("names the leader, its term, its calls and the last hour's runs", async () => {
    const cloud = {
      callsLastMinute: 12,
      throttledLastMinute: 3,
      allowedPerSecond: 2,
      resumesAt: undefined,
    };
    showShell({ leader: instance({ cloud }), runs: { all: 1_200, changed: 3, failed: 4 } });
    const text = await line();
    expect(text).toMatch(/Leader ctl-1/);
    expect(text).toMatch(/Term 4/);
    expect(text).toMatch(/sandbox 12\/120 calls\/min · 3 throttled/);
    expect(text).toMatch(/Runs, last hour 1,200 · 4 failed/);
  });

  it("says how late the records are only if they are late", async () => {
    showShell({ leader: instance({ ledgerLagMs: 1_999 }) });
    expect(await line()).not.toMatch(/Lag/);
  });

  it("says that there is no leader, and when the last report was", async () => {
    showShell({ leader: undefined, lastHeardAt: Date.now() - 14 * 60_000 });
    expect(await line()).toMatch(/Leader none · last report 14 min ago/);
  });
});

describe("the global shortcuts", () => {
  it("go from page to page with two keys, the second within a second", async () => {
    const { page } = showShell();
    await screen.findByText("read");
    await page.user.keyboard("gr");
    expect(window.location.pathname).toBe("/c/c-1/runs");
    await page.user.keyboard("gu");
    expect(window.location.pathname).toBe("/c/c-1/audit");
  });

  it("change times and density", async () => {
    const { page } = showShell();
    await screen.findByText("read");
    await page.user.keyboard("td");
    expect(
      JSON.parse(window.localStorage.getItem("cloudwright.preferences") ?? "{}"),
    ).toMatchObject({
      ...{ time: "absolute", density: "comfortable" },
    });
  });

  it("do nothing while a modifier is held, or if they are turned off", async () => {
    const { page } = showShell();
    await screen.findByText("read");
    await page.user.keyboard("{Control>}p{/Control}");
    expect(live().getAttribute("aria-label")).toMatch(/pause updates$/);
    act(() => changePreferences(() => ({ shortcuts: false })));
    await page.user.keyboard("p");
    expect(live().getAttribute("aria-label")).toMatch(/pause updates$/);
    act(() => changePreferences(() => ({ shortcuts: true })));
  });

  it("are explained on one of them, and Escape closes the list", async () => {
    const { page } = showShell();
    await screen.findByText("read");
    await page.user.keyboard("?");
    const help = await screen.findByRole("dialog", { name: "Keyboard" });
    expect(help.textContent).toMatch(/Go to Runs/);
    await page.user.keyboard("gr");
    expect(window.location.pathname).toBe("/c/c-1/nodes");
    await page.user.keyboard("{Escape}");
    await expect.poll(() => screen.queryByRole("dialog")).toBeNull();
  });

  it("are listed as the user has chosen them", async () => {
    changePreferences(() => ({ keys: { j: "n", g: "h" } }));
    const { page } = showShell();
    await screen.findByText("read");
    await page.user.keyboard("?");
    const help = await screen.findByRole("dialog", { name: "Keyboard" });
    expect(help.textContent).toMatch(/nkNext or previous row/);
    expect(help.textContent).toMatch(/h rGo to Runs/);
    act(() => changePreferences(() => ({ keys: {} })));
  });
});

describe("a cluster that was never reported", () => {
  it("says so instead of the page, with a link to all clusters", async () => {
    showShell({}, { answers: { "clusters.byId": refusal("NOT_FOUND", "No such cluster.") } });
    expect(await screen.findByText("No controller has reported on this cluster")).toBeDefined();
    expect(screen.queryByText("A page")).toBeNull();
  });

  it("is not confused with one that could not be read", async () => {
    showShell({}, { answers: { "clusters.byId": refusal("INTERNAL_SERVER_ERROR", "It failed.") } });
    await screen.findByText("read");
    expect(screen.queryByText("No controller has reported on this cluster")).toBeNull();
  });
});

describe("the banners of every page", () => {
  it("are in one region, which counts them if there are several", async () => {
    showShell({ leader: instance({ dryRun: true }) });
    const notices = within(await screen.findByRole("region", { name: "Notices" }));
    expect(notices.getByText(/^This controller is in dry run/)).toBeDefined();
    expect(notices.queryByText(/ notices$/)).toBeNull();
    act(() => viewAs("viewer"));
    expect(await notices.findByText("2 notices")).toBeDefined();
    expect(notices.getByText(/^You are viewing the pages/)).toBeDefined();
    act(() => viewAs(undefined));
  });

  it("have no region if there are none", async () => {
    showShell();
    await screen.findByText("read");
    await expect.poll(() => screen.queryByRole("region", { name: "Notices" })).toBeNull();
  });
});

describe("another role's view", () => {
  it("is announced on every page, and ended by a button", async () => {
    act(() => viewAs("viewer"));
    const { page } = showShell();
    expect(
      await screen.findByText(/^You are viewing the pages with the role viewer\./),
    ).toBeDefined();
    await page.user.click(screen.getByRole("button", { name: "Back to my own view" }));
    expect(screen.queryByText(/^You see the pages as/)).toBeNull();
  });
});

describe("the focus after navigation", () => {
  it("moves to the next page's heading if the focused element is gone", async () => {
    const { page } = showShell();
    await screen.findByText("read");
    await page.user.keyboard("gr");
    await expect.poll(() => document.activeElement?.textContent).toBe("A page");
  });

  it("stays on an element that the next page has, too", async () => {
    const { page } = showShell();
    await screen.findByText("read");
    await page.user.click(screen.getByRole("link", { name: "Runs" }));
    await act(frame);
    expect(document.activeElement?.textContent).not.toBe("A page");
  });
});
