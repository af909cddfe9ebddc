// @vitest-environment happy-dom
import type {
  ChangesPage as Answer,
  CountedChange,
  StateThen,
} from "@cloudwright/store/views/changes";
import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { expectChoice } from "../../testing/choose-columns.ts";
import { cluster } from "../../testing/cluster-view.ts";
import { type Answers, refusal, renderPage } from "../../testing/render-page.tsx";
import { ChangesPage } from "./changes-page.tsx";

const FROM = Date.UTC(2026, 10, 27, 12);
const TO = FROM + 3_600_000;
const BETWEEN = "?from=2026-11-27T12%3A00%3A00.000Z&to=2026-11-27T13%3A00%3A00.000Z";

const OK: StateThen = {
  ...{ at: FROM - 1, state: "ok", reason: { code: "Initialised" }, drift: "inStep" },
  address: "10.0.0.1",
};
const STUCK: StateThen = { ...OK, state: "stuck", reason: { code: "BalancerWithoutMembers" } };

function row(name: string, over: Partial<CountedChange> = {}): CountedChange {
  return {
    ...{ kind: "Node", name, uid: `uid-${name}`, direction: "worse", was: OK, now: STUCK },
    ...{ isReplaced: false, times: 1, runs: 3, cloudWrites: 2 },
    ...over,
  };
}

const ROWS = [
  row("w-1"),
  row("shop/web", { kind: "Service", direction: "other", was: "absent", now: OK, runs: 0 }),
  row("w-3", { direction: "better", was: "unknown", now: OK, isReplaced: true }),
];

function answer(over: Partial<Answer> = {}): Answer {
  const rows = over.rows ?? ROWS;
  return {
    ...{ rows, nextCursor: undefined, total: { kind: "exact", count: rows.length } },
    ...{ from: FROM, to: TO, completeFrom: undefined },
    counts: rows.map(({ kind, direction }) => ({ kind, direction, count: 1 })),
    ...over,
  };
}

function show(query = BETWEEN, of: Partial<Answer> = {}, answers: Answers = {}) {
  return renderPage(<ChangesPage />, {
    address: `/c/c-1/changes${query}`,
    answers: { "changes.list": () => answer(of), ...answers },
  });
}

const table = async () => within(await screen.findByRole("table", { name: "What changed" }));

describe("the page of changes", () => {
  it("shows the chosen columns, and saves them with a view", async () => {
    const page = show(
      BETWEEN,
      {},
      { "savedViews.list": () => [], "clusters.byId": () => cluster() },
    );
    await expectChoice(page, "Kind");
    await page.user.click(screen.getByRole("menuitemcheckbox", { name: "Kind" }));
    await page.user.keyboard("{Escape}");
    await page.user.click(screen.getByRole("button", { name: "Views" }));
    await page.user.click(await screen.findByRole("menuitem", { name: "Save this view…" }));
    const dialog = within(await screen.findByRole("dialog"));
    await page.user.type(dialog.getByLabelText("Name"), "no kinds");
    await page.user.click(dialog.getByRole("button", { name: "Save view" }));
    await expect
      .poll(() => page.sent("savedViews.save"))
      .toMatchObject([
        { list: { page: "changes", columns: { table: "changes", hidden: ["kind"] } } },
      ]);
    // The browser stores the choice, so the following tests must see all columns again.
    await page.user.click(screen.getByRole("button", { name: "Columns" }));
    await page.user.click(await screen.findByRole("menuitemcheckbox", { name: "Kind" }));
  });

  it("says how many are worse, and shows each object's state before and after", async () => {
    show();
    const rows = await table();
    expect(
      screen.getByText("3 objects differ from before: 1 worse, 1 better, 1 other."),
    ).toBeDefined();
    expect(rows.getByRole("row", { name: /w-1/ }).textContent).toMatch(
      /Worse.*w-1.*node.*OK.*Stuck.*No node is available/,
    );
    expect(rows.getByRole("row", { name: /shop\/web/ }).textContent).toMatch(/Not there.*OK/);
    expect(rows.getByRole("row", { name: /w-3/ }).textContent).toMatch(
      /Not recorded.*OK.*another object/,
    );
  });

  it("links to the object, to its runs between the two times and to their writes", async () => {
    show();
    const rows = await table();
    const href = (name: string | RegExp) =>
      rows.getByRole("link", { name }).getAttribute("href") ?? "";
    expect(href("w-1")).toBe("/c/c-1/nodes/w-1");
    expect(href("shop/web")).toBe("/c/c-1/load-balancers/shop/web");
    const span = "from=2026-11-27T12:00:00.000Z&to=2026-11-27T13:00:00.000Z";
    expect(href("3 runs of w-1")).toBe(`/c/c-1/runs?q=key%3Aw-1&${span}`);
    expect(href(/2 writes for w-1/)).toBe(`/c/c-1/audit?q=object%3Aw-1&${span}`);
    expect(rows.queryByRole("link", { name: /runs of shop/ })).toBeNull();
  });

  it("filters by what became worse, by kind and by text, all in its address", async () => {
    const page = show();
    await table();
    await page.user.click(screen.getByRole("button", { name: /^Worse ?1/ }));
    await page.user.click(screen.getByRole("button", { name: "1 node" }));
    expect(window.location.search).toBe(`${BETWEEN}&kind=Node&change=worse`);
    await expect
      .poll(() => page.sent("changes.list").at(-1))
      .toMatchObject({
        filter: { from: FROM, to: TO, kinds: ["Node"], directions: ["worse"] },
      });
    await page.user.type(screen.getByRole("searchbox", { name: "Filter changes" }), "w");
    await expect.poll(() => window.location.search).toContain("q=w");
    await page.user.click(screen.getByRole("button", { name: "1 node" }));
    await page.user.click(screen.getByRole("button", { name: /^Worse/ }));
    expect(window.location.search).not.toMatch(/kind|change/);
  });

  it("compares now with an hour ago by default, and fixes those times on request", async () => {
    const page = show("");
    await table();
    const [sent] = page.sent("changes.list") as { filter: { from: number; to: number } }[];
    expect((sent?.filter.to ?? 0) - (sent?.filter.from ?? 0)).toBe(61 * 60_000);
    await page.user.click(screen.getByRole("button", { name: "Last 24 h" }));
    expect(window.location.search).toBe("?from=-24h");
    await page.user.click(screen.getByRole("button", { name: "Keep these times" }));
    expect(window.location.search).toMatch(/^\?from=\d{4}-.*&to=\d{4}-/);
    expect(screen.queryByRole("button", { name: "Keep these times" })).toBeNull();
    await page.user.click(screen.getByRole("button", { name: "Last 15 min" }));
    expect(window.location.search).toBe("?from=-15m");
  });

  it("says when the earlier state is no longer kept", async () => {
    show(BETWEEN, { completeFrom: FROM + 60_000 });
    await table();
    expect(screen.getByText(/complete only since/).textContent).toMatch(/Not recorded/);
  });

  it("does not say so if everything is kept", async () => {
    show(BETWEEN, { completeFrom: FROM });
    await table();
    expect(screen.queryByText(/complete only since/)).toBeNull();
  });

  it("says that nothing differs, and looks further back", async () => {
    const page = show("", { rows: [] });
    expect(await screen.findByText("Nothing differs between the two times")).toBeDefined();
    await page.user.click(screen.getByRole("button", { name: "Compare with 24 h ago" }));
    expect(window.location.search).toBe("?from=-24h");
  });

  it("says that the filter leaves everything out, and clears it", async () => {
    const page = show(`${BETWEEN}&q=nobody`, { rows: [] });
    await page.user.click(await screen.findByRole("button", { name: "Show all changes" }));
    expect(window.location.search).toBe(BETWEEN);
  });

  it("says why it could not be read", async () => {
    show(BETWEEN, {}, { "changes.list": refusal("BAD_REQUEST", "The first time is later.") });
    expect((await screen.findByRole("alert")).textContent).toContain("The first time is later.");
  });
});

describe("a change beside the list", () => {
  it("shows the object's states in full, and links to it and to what was done", async () => {
    const page = show();
    await table();
    await page.user.keyboard("jx");
    const beside = within(
      await screen.findByRole("complementary", { name: "Beside the list: node w-1" }),
    );
    expect(new URLSearchParams(window.location.search).get("peek")).toBe("Node w-1");
    expect(beside.getByRole("heading", { name: /^Was/ })).toBeDefined();
    expect(beside.getByText(/No node is available/i)).toBeDefined();
    const href = (name: string) => beside.getByRole("link", { name }).getAttribute("href");
    expect(href("Open page")).toBe("/c/c-1/nodes/w-1");
    expect(href("3")).toContain("/c/c-1/runs?q=key%3Aw-1");
    expect(href("2")).toContain("/c/c-1/audit?q=object%3Aw-1");
  });

  it("is absent if its row is not in the list", async () => {
    show(`${BETWEEN}&peek=Node%20w-77`);
    await table();
    expect(screen.queryByRole("complementary")).toBeNull();
  });
});
