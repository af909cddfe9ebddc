// @vitest-environment happy-dom
import type { RunMinute } from "@cloudwright/store/views/overview";
import { screen, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { changePreferences } from "../../components/preferences.ts";
import { cluster } from "../../testing/cluster-view.ts";
import { renderPage } from "../../testing/render-page.tsx";
import { LastHourPanel } from "./last-hour-panel.tsx";

const TEN = Date.UTC(2026, 0, 2, 10, 0);
const MINUTE_MS = 60_000;

function minute(index: number, over: Partial<RunMinute> = {}): RunMinute {
  return { at: TEN + index * MINUTE_MS, changed: 0, waiting: 0, failed: 0, ...over };
}

const MINUTES = [minute(0, { changed: 5, failed: 1 }), minute(1), minute(2, { waiting: 2 })];

function show(minutes: readonly RunMinute[] = MINUTES, shown: "bars" | "table" = "bars") {
  const onShow = vi.fn();
  const page = renderPage(<LastHourPanel minutes={minutes} shown={shown} onShow={onShow} />, {
    address: "/c/c-1",
    answers: { "clusters.byId": () => cluster({ runs: { all: 1_250, changed: 7, failed: 1 } }) },
  });
  return { page, onShow };
}

const bars = () =>
  within(screen.getByRole("list", { name: "Runs of the last hour" })).getAllByRole("link");
const focused = () => bars().indexOf(document.activeElement as HTMLElement);

beforeEach(() => changePreferences(() => ({ zone: "UTC" })));
afterEach(() => changePreferences(() => ({ zone: "local" })));

describe("the bars of the last hour", () => {
  it("show the outcome of each minute's runs, also that there were none", () => {
    show();
    expect(bars().map((bar) => bar.getAttribute("aria-label"))).toEqual([
      "10:00: 5 changed, 1 failed",
      "10:01: none",
      "10:02: 2 requeued",
    ]);
  });

  it("link to the runs of exactly that minute", () => {
    show();
    const { search } = new URL(bars()[2]?.getAttribute("href") ?? "", "http://localhost");
    const from = new Date(TEN + 2 * MINUTE_MS).toISOString();
    const to = new Date(TEN + 3 * MINUTE_MS).toISOString();
    expect(decodeURIComponent(search)).toContain(from);
    expect(decodeURIComponent(search)).toContain(to);
  });

  it("are one Tab stop: the newest, until another was reached", async () => {
    const { page } = show();
    expect(bars().map(({ tabIndex }) => tabIndex)).toEqual([-1, -1, 0]);
    bars()[2]?.focus();
    await page.user.keyboard("{ArrowLeft}");
    expect(focused()).toBe(1);
    expect(bars().map(({ tabIndex }) => tabIndex)).toEqual([-1, 0, -1]);
  });

  it("are navigated with arrows, Home and End, and stop at both ends", async () => {
    const { page } = show();
    bars()[2]?.focus();
    await page.user.keyboard("{ArrowRight}");
    expect(focused()).toBe(2);
    await page.user.keyboard("{Home}");
    expect(focused()).toBe(0);
    await page.user.keyboard("{ArrowLeft}");
    expect(focused()).toBe(0);
    await page.user.keyboard("{End}");
    expect(focused()).toBe(2);
  });

  it("ignore every other key", async () => {
    const { page } = show();
    bars()[2]?.focus();
    await page.user.keyboard("x");
    expect(focused()).toBe(2);
  });
});

describe("the table of the last hour", () => {
  it("has the newest minute first, and no minutes without runs", () => {
    show(MINUTES, "table");
    const rows = screen.getAllByRole("row").slice(1);
    expect(rows.map(({ textContent }) => textContent)).toEqual(["10:02020", "10:00501"]);
    expect(within(screen.getByRole("table")).getAllByRole("link")).toHaveLength(2);
  });

  it("is one press away from the bars, and vice versa", async () => {
    const { page, onShow } = show();
    await page.user.click(screen.getByRole("button", { name: "Show as table" }));
    expect(onShow).toHaveBeenLastCalledWith("table");
    page.unmount();
    const second = show(MINUTES, "table");
    const back = screen.getByRole("button", { name: "Show as bars" });
    expect(back.getAttribute("aria-pressed")).toBe("true");
    await second.page.user.click(back);
    expect(second.onShow).toHaveBeenLastCalledWith("bars");
  });
});

it.each(["bars", "table"] as const)(
  "an hour in which nothing happened has no %s, and says so",
  (shown) => {
    show([minute(0), minute(1)], shown);
    expect(screen.getByText(/^No run changed, waited or failed/)).toBeDefined();
    for (const role of ["list", "table", "button"]) expect(screen.queryByRole(role)).toBeNull();
  },
);

it("the runs of the hour are counted, including those that changed nothing", async () => {
  show();
  expect(await screen.findByText("1,250 runs · 7 changed · 1 failed")).toBeDefined();
});
