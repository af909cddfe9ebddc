// @vitest-environment happy-dom
import type { RunRow } from "@cloudwright/store/views/views";
import { screen, within } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type Answers, refusal, renderPage } from "../../testing/render-page.tsx";
import { runDetail, runRow } from "../../testing/run-detail.ts";
import { hasShape } from "../../testing/shapes.ts";
import { RunsPage } from "./runs-page.tsx";

interface Input {
  readonly filter: {
    readonly from?: number;
    readonly to?: number;
    readonly [name: string]: unknown;
  };
  readonly limit: number;
}

const RUNS = [
  runRow({ id: "0190aaaa-0000-7000-8000-000000000001", outcome: "failed", attempt: 3 }),
  runRow({ id: "0190aaaa-0000-7000-8000-000000000002" }),
];

function page(rows: readonly RunRow[], count = rows.length) {
  return { rows, nextCursor: undefined, total: { kind: "exact", count } };
}

/** `fresh` is how many runs began since the list was opened, which it requests separately. */
function show(
  rows: readonly RunRow[] = RUNS,
  { query = "", fresh = 0, answers = {} as Answers } = {},
) {
  return renderPage(<RunsPage />, {
    address: `/c/c-1/runs${query}`,
    answers: {
      "runs.list": (input) =>
        (input as Input).limit === 1 ? page(fresh === 0 ? [] : [runRow()], fresh) : page(rows),
      "runs.histogram": () => ({ from: 0, to: 60_000, counts: [1, 0] }),
      ...answers,
    },
  });
}

afterEach(() => vi.restoreAllMocks());

const lists = (shown: ReturnType<typeof show>) =>
  (shown.sent("runs.list") as readonly Input[]).filter(({ limit }) => limit > 1);
const filterOf = (shown: ReturnType<typeof show>) => lists(shown).at(-1)?.filter;
const table = () => screen.findByRole("table", { name: "Runs" });

const newer = (shown: ReturnType<typeof show>) =>
  (shown.sent("runs.list") as readonly Input[]).filter(({ limit }) => limit === 1).at(-1)?.filter;

describe("the runs that began since the list was opened", () => {
  it("count only from the start of a time range that has yet to come", async () => {
    const shown = show([], { query: "?from=2090-01-01T00:00:00Z&to=2090-01-02T00:00:00Z" });
    await screen.findByText("No run in the chosen time");
    expect(newer(shown)).toMatchObject({ from: Date.UTC(2090, 0, 1), to: Date.UTC(2090, 0, 2) });
  });

  it("are in the list when another range is chosen", async () => {
    const shown = show();
    await table();
    const later = Date.now() + 600_000;
    vi.spyOn(Date, "now").mockReturnValue(later);
    await shown.user.click(screen.getByRole("button", { name: "Last hour" }));
    await expect.poll(() => filterOf(shown)?.to).toBeGreaterThan(later);
    expect(newer(shown)?.from).toBeGreaterThan(later);
  });
});

describe("the list of runs", () => {
  it("is shown although its comments could not be read, says so, and refetches on demand", async () => {
    const answers = { "runs.list": () => ({ ...page(RUNS), unread: ["comments"] }) };
    const shown = show(RUNS, { answers });
    expect(within(await table()).getAllByRole("row")).toHaveLength(3);
    expect(screen.getByText(/^Comments could not be read/)).toBeDefined();
    await shown.user.click(screen.getByRole("button", { name: "Try again" }));
    await expect.poll(() => lists(shown)).toHaveLength(2);
  });

  it("requests the cluster's last day, and no runs after it was opened", async () => {
    const before = Date.now();
    const shown = show();
    await table();
    const { from = 0, to = 0 } = filterOf(shown) ?? {};
    expect(to).toBeGreaterThanOrEqual(before);
    expect(to).toBeLessThan(before + 10_000);
    expect(from).toBeLessThan(to);
  });

  it("shows for each how it ended, the attempt, its object and its cost", async () => {
    show();
    const rows = within(await table())
      .getAllByRole("row")
      .slice(1);
    const [failed, changed] = rows.map((row) => row.textContent);
    expect(failed).toMatch(/14 min ago.*Failed.*attempt 3.*w-1/);
    expect(failed).toMatch(/3 ms \+ 250 ms.*1 \+ 2/);
    expect(changed).not.toMatch(/try/);
    expect(screen.getByText("2 runs")).toBeDefined();
  });

  it.each<[string, readonly RunRow[], RegExp]>([
    ["nothing", [], /^There is no run to show\.$/],
    ["one that is well", [runRow()], /^The newest run neither failed nor was blocked\.$/],
    [
      "many that are well, each as often as it was",
      [runRow(), runRow({ id: "b", outcome: "unchanged", folded: 1_200 })],
      /^None of the newest 1,201 runs failed or was blocked\.$/,
    ],
    ["one that failed", RUNS, /^1 of the newest 2 runs failed or was blocked: w-1, 14 min ago\.$/],
    [
      "several, the last of them first",
      [runRow(), runRow({ id: "b", outcome: "blocked" }), runRow({ id: "c", outcome: "timedOut" })],
      /^2 of the newest 3 runs failed or were blocked, the last one 14 min ago: w-1\.$/,
    ],
  ])("opens with how they went: %s", async (_what, rows, sentence) => {
    show(rows);
    const heading = screen.getByRole("heading", { level: 1, name: "Runs" });
    await expect.poll(() => heading.nextElementSibling?.textContent).toMatch(sentence);
  });

  it("folds runs that changed nothing for the same reason into one row, except requested ones", async () => {
    const quiet = { outcome: "unchanged", reason: { code: "InStep" }, changes: 0 } as const;
    show([
      runRow({ ...quiet, id: "a", folded: 40 }),
      runRow({ ...quiet, id: "b", folded: 2 }),
      runRow({ ...quiet, id: "c", trigger: { kind: "intent", intentId: "i", actor: "Ana" } }),
    ]);
    const rows = within(await table())
      .getAllByRole("row")
      .slice(1);
    expect(rows).toHaveLength(2);
    expect(rows[0]?.textContent).toContain("×42");
    expect(rows[1]?.textContent).toContain("requested by Ana");
  });

  it("shows the number of comments on each, and nothing if there are none", async () => {
    show([
      { ...runRow({ id: "a" }), comments: 3 },
      { ...runRow({ id: "b" }), comments: 1 },
      runRow({ id: "c" }),
    ] as readonly RunRow[]);
    const [, ...rows] = within(await table()).getAllByRole("row");
    const names = rows.map((row) =>
      within(row)
        .queryAllByRole("img")
        .map((image) => image.getAttribute("aria-label")),
    );
    expect(names).toEqual([["3 comments"], ["1 comment"], []]);
    // Links to a run are named only by how it ended.
    expect(within(await table()).getAllByRole("link", { name: /Changed$/ })).toHaveLength(3);
  });

  it("has a shape for each except those that changed nothing", async () => {
    show([...RUNS, runRow({ id: "none", outcome: "unchanged", changes: 0 })]);
    const rows = within(await table());
    const shapes = ["Failed", "Changed", "No change"].map((word) => hasShape(rows.getByText(word)));
    expect(shapes).toEqual([true, true, false]);
  });

  it("says of a dry run that it would change, not that it changed", async () => {
    show([runRow({ dryRun: true })]);
    const [, row] = within(await table()).getAllByRole("row");
    expect(row?.textContent).toMatch(/Would change.*dry run/);
  });

  it("counts runs that have begun since, and moves nothing until they are requested", async () => {
    const shown = show(RUNS, { fresh: 12 });
    const button = await screen.findByRole("button", { name: "12 new — show" });
    expect(lists(shown)).toHaveLength(1);
    const before = filterOf(shown)?.to ?? 0;
    await shown.user.click(button);
    await expect.poll(() => filterOf(shown)?.to ?? 0).toBeGreaterThanOrEqual(before);
  });
});

describe("the filter of runs", () => {
  it("is read from the address, with each term as a removable chip", async () => {
    const shown = show(RUNS, { query: "?q=outcome:failed+key:w-*+calls>10" });
    await table();
    expect(filterOf(shown)).toMatchObject({ outcomes: ["failed"], key: "w-*", minCalls: 11 });
    await shown.user.click(screen.getByRole("button", { name: "Remove outcome:failed" }));
    await expect.poll(() => filterOf(shown)?.outcomes).toBeUndefined();
    expect(filterOf(shown)).toMatchObject({ key: "w-*", minCalls: 11 });
    expect(new URLSearchParams(window.location.search).get("q")).toBe("key:w-* calls>10");
  });

  it("says why it cannot use a term, and still filters by the others", async () => {
    const shown = show(RUNS, { query: "?q=outcome:perhaps+key:w-1" });
    await table();
    expect(screen.getByText(/is ignored:/).textContent).toMatch(/^outcome:perhaps is ignored/);
    expect(filterOf(shown)).toMatchObject({ key: "w-1" });
    expect(filterOf(shown)?.outcomes).toBeUndefined();
  });

  it("takes an outcome from the menu, and removes it by a second press", async () => {
    const shown = show();
    await shown.user.click(await screen.findByRole("button", { name: /^Outcome/ }));
    await shown.user.click(await screen.findByRole("menuitemcheckbox", { name: "Failed" }));
    expect(new URLSearchParams(window.location.search).get("q")).toBe("outcome:failed");
    await expect.poll(() => filterOf(shown)?.outcomes).toEqual(["failed"]);
    await shown.user.click(await screen.findByRole("menuitemcheckbox", { name: "Failed" }));
    expect(window.location.search).toBe("");
  });

  it("keeps what is being typed while the list answers late", async () => {
    const shown = show();
    const box = await screen.findByRole<HTMLInputElement>("searchbox", { name: "Filter runs" });
    await shown.user.type(box, "key:w");
    await expect.poll(() => filterOf(shown)?.key).toBe("w");
    await shown.user.type(box, "-12");
    expect(box.value).toBe("key:w-12");
    await expect.poll(() => filterOf(shown)?.key).toBe("w-12");
    expect(box.value).toBe("key:w-12");
  });

  it("is focused by a key and left by Escape", async () => {
    const shown = show(RUNS, { query: "?q=key:w-1" });
    const box = await screen.findByRole<HTMLInputElement>("searchbox", { name: "Filter runs" });
    await shown.user.keyboard("/");
    expect(document.activeElement).toBe(box);
    await shown.user.keyboard("{Escape}");
    expect(box.value).toBe("");
    expect(document.activeElement).toBe(box);
    await shown.user.keyboard("{Escape}");
    expect(document.activeElement).not.toBe(box);
  });

  it("changes its time range by the buttons, which keep the terms", async () => {
    const shown = show(RUNS, { query: "?q=key:w-1" });
    await table();
    const group = within(screen.getByRole("group", { name: "Time range" }));
    const [pressed] = group.getAllByRole("button", { pressed: true });
    const other = group.getAllByRole("button", { pressed: false })[0];
    if (other === undefined) throw new Error("There is no other range.");
    await shown.user.click(other);
    expect(new URLSearchParams(window.location.search).get("q")).toBe("key:w-1");
    expect(pressed?.getAttribute("aria-pressed")).toBe("false");
    await expect.poll(() => lists(shown).length).toBe(2);
  });

  it("reports what it does not know in its address", async () => {
    show(RUNS, { query: "?colour=red" });
    expect(await screen.findByText(/colour/)).toBeDefined();
  });
});

describe("a list of runs without rows", () => {
  it("says for which time there are none, and offers everything kept", async () => {
    const shown = show([]);
    expect(await screen.findByText(/^No run in the last/)).toBeDefined();
    expect(screen.queryByRole("button", { name: "Clear the filter" })).toBeNull();
    await shown.user.click(screen.getByRole("button", { name: "Show everything that is kept" }));
    expect(await screen.findByText("No run in the ledger")).toBeDefined();
    expect(filterOf(shown)?.from).toBeUndefined();
  });

  it("says that none matches, and clears the filter but not the time", async () => {
    const shown = show([], { query: "?q=key:w-1&from=all" });
    expect(await screen.findByText(/^No run matches this filter/)).toBeDefined();
    await shown.user.click(screen.getByRole("button", { name: "Clear the filter" }));
    expect(window.location.search).toBe("?from=all");
  });

  it("says why it could not be read, and is refetched by a key", async () => {
    const answers = { "runs.list": refusal("SERVICE_UNAVAILABLE", "The ledger is down.") };
    const shown = show([], { answers });
    expect((await screen.findByRole("alert")).textContent).toContain("The ledger is down.");
    expect(screen.queryByText(/^No run/)).toBeNull();
    const before = shown.sent("runs.list").length;
    await shown.user.keyboard("r");
    await expect.poll(() => shown.sent("runs.list").length).toBeGreaterThan(before);
  });
});

describe("the run open beside the list", () => {
  it("is the one in the address, even if it is not in the list", async () => {
    const id = "0190aaaa-0000-7000-8000-00000000000f";
    const detail = runDetail({
      row: {
        id,
        outcome: "blocked",
        object: { kind: "Node", namespace: undefined, name: "w-7", uid: "u" },
      },
    });
    const shown = show(RUNS, { query: `?peek=${id}`, answers: { "runs.byId": () => detail } });
    const panel = within(await screen.findByRole("complementary", { name: /Run of w-7/ }));
    expect(panel.getByText("Blocked")).toBeDefined();
    expect(shown.sent("runs.byId")).toEqual([{ cluster: "c-1", id }]);
    await shown.user.click(panel.getByRole("button", { name: /^Close/ }));
    expect(window.location.search).toBe("");
  });
});
