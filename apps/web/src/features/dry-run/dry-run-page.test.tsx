// @vitest-environment happy-dom
import type { Change } from "@cloudwright/core/model/plan";
import type { ShadowPage, ShadowRow } from "@cloudwright/store/views/shadow";
import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { expectChoice } from "../../testing/choose-columns.ts";
import { type Answers, refusal, renderPage } from "../../testing/render-page.tsx";
import { DryRunPage } from "./dry-run-page.tsx";

const SHADOW = {
  identity: "ctl-9_zz",
  version: "1",
  heardAt: Date.now() - 14 * 60_000,
  leader: true,
};

function change(name: string): Change {
  return {
    ...{ kind: "service.finalizer.add", system: "cluster", before: null },
    target: { kind: "Service", namespace: "shop", name },
    after: { finalizers: ["service.kubernetes.io/load-balancer-cleanup"] },
    reason: { code: "FinalizerMissing" },
  };
}

function row(name: string, over: Partial<ShadowRow> = {}): ShadowRow {
  return {
    ...{ controller: "service-lb-controller", runId: `run-${name}`, at: Date.now(), notTaken: [] },
    object: { kind: "Service", namespace: "shop", name, uid: `u-${name}` },
    ...{ outcome: "changed", reason: { code: "FinalizerMissing" }, changes: [change(name)] },
    next: { kind: "settled", reason: { code: "BalancerInStep", members: 3 } },
    ...over,
  };
}

const HELD = row("old", {
  ...{ changes: [], outcome: "blocked" },
  notTaken: [{ step: "deletion", reason: { code: "BalancerWithoutMembers" } }],
});

function answer(rows: readonly ShadowRow[], over: Partial<ShadowPage> = {}): ShadowPage {
  return {
    ...{ rows, nextCursor: undefined, total: { kind: "exact", count: rows.length } },
    ...{ counts: { all: 1_200, changes: rows.length, stopped: 3 }, shadow: SHADOW },
    ...over,
  };
}

function show(found: ShadowPage, address = "/c/c-1/dry-run", answers: Answers = {}) {
  return renderPage(<DryRunPage />, {
    address,
    answers: { "shadow.pending": () => found, ...answers },
  });
}

const filterOf = (page: ReturnType<typeof show>) =>
  (page.sent("shadow.pending").at(-1) as { readonly filter: object }).filter;

describe("what a dry run would do", () => {
  it("shows the chosen columns", async () => {
    await expectChoice(show(answer([row("web")])), "Outcome");
  });

  it("requests only what would change, and says how much of the total that is", async () => {
    const page = show(answer([row("web")]));
    expect(
      await screen.findByText("1 of 1,200 objects would be changed; blocked or failed: 3."),
    ).toBeDefined();
    expect(filterOf(page)).toMatchObject({ show: "changes" });
    expect(screen.getByText("Add the finalizer.")).toBeDefined();
  });

  it("says of a run that wrote nothing that it would change, not that it changed", async () => {
    show(answer([row("web")]));
    expect(await screen.findByText("Would change", { selector: "td *" })).toBeDefined();
    expect(screen.queryByText("Changed")).toBeNull();
  });

  it("names the process in dry run, and when it last reported", async () => {
    show(answer([row("web")]));
    expect(
      (await screen.findByText(/is in dry run beside the active controller/)).textContent,
    ).toMatch(/ctl-9.*writes nothing\. Last report: 14 min ago\./);
  });

  it("warns that a process that does not lead checks nothing now", async () => {
    show(answer([row("web")], { shadow: { ...SHADOW, leader: false } }));
    expect(await screen.findByText(/It does not lead, so it observes nothing now\./)).toBeDefined();
  });

  it("says what blocks an object that it would leave alone", async () => {
    show(answer([HELD]), "/c/c-1/dry-run?show=stopped");
    expect(await screen.findByText(/^deletion: not done\./)).toBeDefined();
  });
});

describe("the choice of what is listed", () => {
  it("has the counts of the whole cluster, and is kept in the address", async () => {
    const page = show(answer([row("web")]));
    const stopped = await screen.findByRole("button", { name: "Blocked or failed 3" });
    await page.user.click(stopped);
    expect(window.location.search).toBe("?show=stopped");
    await expect.poll(() => filterOf(page)).toMatchObject({ show: "stopped" });
    expect(stopped.getAttribute("aria-pressed")).toBe("true");
    expect(screen.getByRole("button", { name: "All 1,200" }).getAttribute("aria-pressed")).toBe(
      "false",
    );
  });

  it("is filtered by the typed text, once typing pauses", async () => {
    const page = show(answer([row("web")]));
    await page.user.click(await screen.findByRole("searchbox", { name: "Filter objects" }));
    await page.user.paste("web");
    await expect.poll(() => filterOf(page)).toMatchObject({ text: "web" });
    expect(page.sent("shadow.pending")).toHaveLength(2);
    expect(window.location.search).toBe("?q=web");
  });
});

describe("a row beside the list", () => {
  it("shows each change with what it would write, for exactly the chosen object", async () => {
    const page = show(answer([row("web"), row("api")]), "/c/c-1/dry-run?peek=run-api");
    const panel = within(await screen.findByRole("complementary", { name: /shop\/api/ }));
    expect(panel.getByText(/planned and not done/)).toBeDefined();
    expect(panel.getByRole("heading", { name: "Add the finalizer" })).toBeDefined();
    expect(panel.queryByText(/shop\/web/)).toBeNull();
    await page.user.click(panel.getByRole("button", { name: /^Close/ }));
    expect(window.location.search).toBe("");
  });

  it("shows nothing for an object that is no longer listed", async () => {
    show(answer([row("web")]), "/c/c-1/dry-run?peek=run-gone");
    await screen.findByRole("link", { name: "shop/web" });
    expect(screen.queryByRole("complementary")).toBeNull();
  });

  it("says that nothing would change and what would be left alone", async () => {
    show(answer([HELD]), "/c/c-1/dry-run?show=stopped&peek=run-old");
    const panel = within(await screen.findByRole("complementary", { name: /shop\/old/ }));
    expect(panel.getByText("Nothing would be changed.")).toBeDefined();
    expect(panel.getByText(/deletion/)).toBeDefined();
  });
});

describe("a list without rows", () => {
  const none = (over: Partial<ShadowPage> = {}) => answer([], over);

  it("says how to start a dry run if none ever ran", async () => {
    show(none({ shadow: undefined, counts: { all: 0, changes: 0, stopped: 0 } }));
    expect(await screen.findByText("cloudwright controller --dry-run")).toBeDefined();
  });

  it("says that nothing would change, with a link to everything that was checked", async () => {
    const page = show(none());
    expect(await screen.findByText("Nothing would be changed")).toBeDefined();
    await page.user.click(
      screen.getByRole("button", { name: "Show everything that was observed" }),
    );
    expect(window.location.search).toBe("?show=all");
  });

  it("links to what is blocked if nothing else is to be seen", async () => {
    const page = show(none());
    await page.user.click(
      await screen.findByRole("button", { name: "Show what is blocked or has failed" }),
    );
    expect(window.location.search).toBe("?show=stopped");
    expect(await screen.findByText("Nothing is blocked, and nothing has failed")).toBeDefined();
  });

  it("says that nothing matches, and clears the filter but not the choice", async () => {
    const page = show(none(), "/c/c-1/dry-run?show=stopped&q=x");
    expect(await screen.findByText("No object matches this filter")).toBeDefined();
    await page.user.click(screen.getByRole("button", { name: "Clear filters" }));
    expect(window.location.search).toBe("?show=stopped");
  });

  it("says why it could not be read, not that nothing would change", async () => {
    const answers = { "shadow.pending": refusal("SERVICE_UNAVAILABLE", "The ledger is down.") };
    const page = show(none(), undefined, answers);
    expect((await screen.findByRole("alert")).textContent).toContain("The ledger is down.");
    expect(screen.queryByText("Nothing would be changed")).toBeNull();
    await page.user.keyboard("r");
    await expect.poll(() => page.sent("shadow.pending")).toHaveLength(2);
  });
});
