// @vitest-environment happy-dom
import type { ControlsStatus, GuardStatus, Pause } from "@cloudwright/core/model/controls";
import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { cluster, controller, instance } from "../../testing/cluster-view.ts";
import { ANA, renderPage } from "../../testing/render-page.tsx";
import { ControlBanners } from "./control-banners.tsx";
import { GuardPanel } from "./guard-panel.tsx";

const PAUSE: Pause = {
  ...{ controller: "cloud-node-controller", by: "Ben", why: "disk work", at: Date.now() },
  ...{ until: Date.now() + 24 * 60_000 + 500, intentId: "i-1" },
};
const HELD = (name: string) => ({
  ...{ name, uid: `u-${name}`, since: Date.now() - 14 * 60_000 },
  because: "No instance of that name.",
});
const GUARD: GuardStatus = {
  ...{ limit: 5, windowMs: 600_000, deleted: 5, windowEndsAt: Date.now() + 300_000 },
  held: [HELD("w-1"), HELD("w-2")],
};

interface Shown {
  readonly queueDepth?: number;
  readonly role?: "viewer" | "admin";
  readonly serverNow?: number;
}

function show(
  controls: Partial<ControlsStatus>,
  { queueDepth = 0, role = "admin", serverNow = Date.now() }: Shown = {},
) {
  const leader = instance({
    controls: { pauses: [], ...controls },
    controllers: [controller("cloud-node-controller", { queueDepth })],
  });
  return renderPage(<ControlBanners cluster="c-1" />, {
    viewer: { ...ANA, role },
    answers: {
      "clusters.byId": () => cluster({ leader, serverNow }),
      "people.admins": () => ["Cleo"],
    },
  });
}

describe("a pause", () => {
  it("is shown on every page: by whom, until when, why and what waits", async () => {
    show({ pauses: [PAUSE] }, { queueDepth: 7 });
    const banner = await screen.findByRole("region", { name: /is paused$/ });
    expect(banner.textContent).toMatch(
      /is paused by Ben until .*\(24.min left\): “disk work”\. 7 waiting\./,
    );
    expect(within(banner).getByRole("button", { name: /^Extend…/ })).toBeDefined();
    expect(within(banner).getByRole("button", { name: /^Resume/ })).toBeDefined();
  });

  it("is announced without its countdown, which would be read out every second", async () => {
    show({ pauses: [PAUSE] });
    await screen.findByRole("region", { name: /is paused$/ });
    expect(screen.getByRole("status").textContent).toMatch(/is paused\.$/);
  });

  it("says in its last minutes that work will resume by itself", async () => {
    show({ pauses: [{ ...PAUSE, until: Date.now() + 5 * 60_000 }] });
    const banner = await screen.findByRole("region", { name: /is paused$/ });
    expect(banner.textContent).toMatch(/Nothing is waiting\. It then resumes automatically\./);
  });

  it("disappears when it has ended by the server's clock, whatever this browser's clock says", async () => {
    const ahead = Date.now() + 3_600_000;
    show({ pauses: [PAUSE], guard: GUARD }, { serverNow: ahead });
    await screen.findByRole("region", { name: "The deletion guard holds" });
    expect(screen.queryByRole("region", { name: /is paused$/ })).toBeNull();
  });

  it("can be ended only by admins; everybody else learns whom to ask", async () => {
    show({ pauses: [PAUSE] }, { role: "viewer" });
    const resume = await screen.findByRole("button", { name: /^Resume/ });
    await expect
      .poll(() => resume.getAttribute("aria-description"))
      .toBe("Needs role admin. You are viewer. Admins: Cleo.");
  });
});

describe("the deletion guard with held deletions", () => {
  it("says how many of how many nodes were deleted, how many wait, and since when", async () => {
    show({ guard: GUARD });
    const banner = await screen.findByRole("region", { name: "The deletion guard holds" });
    expect(banner.textContent).toMatch(
      /5 of at most 5 nodes were deleted within 10.min; 2.deletions are waiting for an admin, the oldest for 14 min\./,
    );
    expect(
      within(banner).getByRole("button", { name: "Release… the held deletions" }),
    ).toBeDefined();
  });

  it("also counts held deletions that are not listed", async () => {
    show({ guard: { ...GUARD, heldCount: 400 } });
    const banner = await screen.findByRole("region", { name: "The deletion guard holds" });
    expect(banner.textContent).toMatch(/400.deletions are waiting/);
  });

  it("says nothing while it holds none", async () => {
    const page = show({ guard: { ...GUARD, held: [] } });
    await expect.poll(() => page.sent("clusters.byId")).toHaveLength(1);
    expect(screen.queryByRole("region", { name: "The deletion guard holds" })).toBeNull();
  });
});

describe("the guard on the controllers page", () => {
  const panel = (guard: GuardStatus | undefined, obstacle?: string) =>
    renderPage(<GuardPanel cluster="c-1" guard={guard} obstacle={obstacle} />);

  it("lists each held node with why it would be deleted", () => {
    panel(GUARD);
    const items = screen.getAllByRole("listitem").map(({ textContent }) => textContent);
    expect(items).toEqual([
      expect.stringMatching(/^w-1.*held for 14 min.*No.instance of that name/),
      expect.stringMatching(/^w-2/),
    ]);
    expect(screen.getByRole("link", { name: "w-1" }).getAttribute("href")).toBe("/c/c-1/nodes/w-1");
  });

  it("says how many more wait than are listed", () => {
    panel({ ...GUARD, heldCount: 1_202 });
    expect(screen.getByText(/^1,200 more are waiting/)).toBeDefined();
  });

  it("offers no release if nothing waits, and says that nothing was deleted recently", () => {
    const { windowEndsAt: _, ...quiet } = GUARD;
    panel({ ...quiet, held: [] });
    expect(screen.queryByRole("button", { name: /^Release/ })).toBeNull();
    expect(screen.getByText(/none has been deleted recently/).textContent).toMatch(
      /No deletions are waiting\.$/,
    );
  });

  it("does not claim to guard if it is off or its state is unknown", () => {
    panel(undefined);
    expect(screen.getByText(/^It is off, or its state is not known/)).toBeDefined();
  });

  it("cannot be released if the leader cannot store the release: the button says why", () => {
    panel(GUARD, "It may not write its ConfigMap.");
    const button = screen.getByRole("button", { name: /^Release/ });
    expect(button.getAttribute("aria-description")).toBe("It may not write its ConfigMap.");
  });
});
