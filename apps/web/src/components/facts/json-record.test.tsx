// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { renderPage } from "../../testing/render-page.tsx";
import { JsonRecord } from "./json-record.tsx";

const RECORD = {
  ...{ id: "r-1", end: undefined, list: [] },
  steps: [
    { status: 200, error: null, labels: { "a/b": { deep: { far: "Found" } } } },
    { status: 429, target: "found too" },
  ],
};

function show(value: unknown = RECORD, label = "Run r-1") {
  const page = renderPage(<JsonRecord value={value} label={label} />);
  const writeText = vi.fn<(text: string) => Promise<void>>(() => Promise.resolve());
  vi.stubGlobal("navigator", { clipboard: { writeText } });
  return { ...page, copied: () => writeText.mock.calls.map(([text]) => text) };
}
afterEach(() => vi.unstubAllGlobals());

const lines = () => screen.getAllByRole("treeitem").map(({ textContent }) => textContent);
const current = () => screen.getByRole("treeitem", { selected: true }).textContent;
const search = () => screen.getByRole("searchbox", { name: "Search in Run r-1" });

describe("a record from the ledger", () => {
  it("shows every member that it has, and no others", () => {
    show();
    for (const text of ['"r-1"', "200", "null"]) expect(screen.getByText(text)).toBeDefined();
    expect(lines()).toContain("list: []");
    expect(screen.queryByText(/end:/)).toBeNull();
  });

  it("is copied whole, including what is folded or left out as too long", async () => {
    const members = Array.from({ length: 250 }, (_, index) => `w-${index}`);
    const page = show({ members }, "Plan");
    expect(screen.queryByText('"w-249"')).toBeNull();
    expect(screen.getByText(/^… 50 more/)).toBeDefined();
    await page.user.click(screen.getByRole("button", { name: "Copy Plan as JSON" }));
    expect(JSON.parse(page.copied()[0] ?? "")).toEqual({ members });
    expect(await screen.findByText("Copied")).toBeDefined();
  });

  it("opens only its first levels, and the others on demand", async () => {
    const page = show();
    expect(screen.queryByText('"Found"')).toBeNull();
    for (const name of [/labels:/, /a\/b:/, /deep:/])
      await page.user.click(screen.getByRole("treeitem", { name }));
    expect(screen.getByText('"Found"')).toBeDefined();
    await page.user.click(screen.getByRole("treeitem", { name: /labels:/ }));
    expect(screen.queryByText('"Found"')).toBeNull();
  });
});

describe("moving through it with the keyboard", () => {
  it("is one Tab stop; arrow keys move between values, and into and out of folded ones", async () => {
    const page = show();
    screen.getAllByRole("treeitem")[0]?.focus();
    await page.user.keyboard("{ArrowDown}");
    expect(document.activeElement?.textContent).toBe('id: "r-1"');
    expect(screen.getAllByRole("treeitem").filter(({ tabIndex }) => tabIndex === 0)).toHaveLength(
      1,
    );
    await page.user.keyboard("{End}{ArrowLeft}");
    expect(document.activeElement?.textContent).toMatch(/{ 2 }/);
    await page.user.keyboard("{ArrowLeft}");
    expect(document.activeElement?.getAttribute("aria-expanded")).toBe("false");
    await page.user.keyboard("{ArrowRight}{ArrowRight}");
    expect(document.activeElement?.textContent).toBe("status: 429");
    await page.user.keyboard("{Home}");
    expect(document.activeElement?.getAttribute("aria-level")).toBe("1");
  });

  it("copies the path of a value in jq syntax, and announces it", async () => {
    const page = show();
    await page.user.click(screen.getByRole("treeitem", { name: /labels:/ }));
    await page.user.keyboard("{ArrowDown}c");
    const path = '.steps[0].labels["a/b"]';
    expect(page.copied()).toEqual([path]);
    expect(await screen.findByText(`Copied the path ${path}`)).toBeDefined();
    await page.user.keyboard("{ArrowUp}");
    expect(screen.queryByText(/^Copied the path/)).toBeNull();
    const name = "Copy the path .steps[0].labels (key c in the tree)";
    await page.user.click(screen.getByRole("button", { name }));
    expect(page.copied()).toEqual([path, ".steps[0].labels"]);
  });
});

describe("searching in it", () => {
  it("finds names and values at any depth, shows their number, and steps through them", async () => {
    const page = show();
    await page.user.type(search(), "FOUND");
    expect(current()).toBe('far: "Found"');
    expect(screen.getByText("1 of 2")).toBeDefined();
    await page.user.keyboard("{Enter}");
    expect(current()).toBe('target: "found too"');
    expect(screen.getByText("2 of 2")).toBeDefined();
    await page.user.keyboard("{Enter}");
    expect(screen.getByText("1 of 2")).toBeDefined();
    await page.user.keyboard("{Shift>}{Enter}{/Shift}");
    expect(screen.getByText("2 of 2")).toBeDefined();
    expect(document.activeElement).toBe(search());
    await page.user.click(screen.getByRole("button", { name: "Next match" }));
    expect(screen.getByText("1 of 2")).toBeDefined();
  });

  it("reports when nothing is found, and is closed by Escape", async () => {
    const page = show();
    await page.user.type(search(), "nowhere");
    expect(screen.getByText("nothing found")).toBeDefined();
    await page.user.keyboard("{Escape}");
    expect(screen.queryByText("nothing found")).toBeNull();
  });

  it("shows matches among members that are left out as too many", async () => {
    const page = show(
      { members: Array.from({ length: 250 }, (_, index) => `w-${index}`) },
      "Run r-1",
    );
    await page.user.type(search(), "w-249");
    expect(current()).toBe('"w-249"');
    expect(screen.getByText(/^… 49 more/)).toBeDefined();
  });
});
