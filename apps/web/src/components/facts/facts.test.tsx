// @vitest-environment happy-dom
import { screen, within } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { renderPage } from "../../testing/render-page.tsx";
import { holdChange } from "../../testing/run-detail.ts";
import { DiffTable, keyedChanges } from "./diff-table.tsx";
import { Fact, Facts } from "./fact.tsx";
import { JsonView } from "./json-view.tsx";

afterEach(() => vi.unstubAllGlobals());

it("facts are read as terms with their values", () => {
  renderPage(
    <Facts>
      <Fact label="Zone">eu-1a</Fact>
      <Fact label="Type">m1</Fact>
    </Facts>,
  );
  expect(screen.getAllByRole("term").map(({ textContent }) => textContent)).toEqual([
    "Zone",
    "Type",
  ]);
  expect(screen.getByText("Zone").nextElementSibling?.textContent).toBe("eu-1a");
});

describe("before and after a change", () => {
  const rows = () =>
    screen
      .getAllByRole("row")
      .slice(1)
      .map((row) => [...row.children].map(({ textContent }) => textContent));

  it("are reported field by field, and only where they differ", () => {
    renderPage(
      <DiffTable
        what="of node w-1"
        before={{ taint: "uninitialized", zone: "a", labels: { x: "1" } }}
        after={{ taint: null, zone: "a", labels: { x: "2" } }}
      />,
    );
    expect(screen.getByRole("table", { name: "Before and after of node w-1" })).toBeDefined();
    expect(rows()).toEqual([
      ["taint", "uninitialized", "nothing"],
      ["labels › x", "1", "2"],
    ]);
  });

  it("of something made or deleted have nothing on one side", () => {
    const page = renderPage(<DiffTable what="of it" before={null} after={{ id: "lb-1" }} />);
    expect(rows()).toEqual([["id", "nothing", "lb-1"]]);
    page.rerender(<DiffTable what="of it" before={{ id: "lb-1" }} after={null} />);
    expect(rows()).toEqual([["id", "lb-1", "nothing"]]);
  });
});

it("several changes of one kind have a key each: none of them is left out", () => {
  const keys = keyedChanges([holdChange("w-1"), holdChange("w-1")]).map(({ key }) => key);
  expect(new Set(keys).size).toBe(2);
});

describe("a record as the ledger has it", () => {
  const record = { id: "r-1", end: undefined, list: [], steps: [{ status: 200, error: null }] };

  it("shows every member that it has, and none that it has not", () => {
    renderPage(<JsonView value={record} label="Run r-1" />);
    for (const text of ['"r-1"', "200", "null"]) expect(screen.getByText(text)).toBeDefined();
    expect(screen.queryByText(/end:/)).toBeNull();
  });

  it("is copied whole, also what is folded or too much to show", async () => {
    const members = Array.from({ length: 250 }, (_, index) => `w-${index}`);
    const page = renderPage(<JsonView value={{ members }} label="Plan" />);
    const writeText = vi.fn<(text: string) => Promise<void>>(() => Promise.resolve());
    vi.stubGlobal("navigator", { clipboard: { writeText } });
    expect(screen.queryByText('"w-249"')).toBeNull();
    expect(screen.getByText(/^… 50 more/)).toBeDefined();
    await page.user.click(screen.getByRole("button", { name: "Copy Plan as JSON" }));
    const copied: unknown = JSON.parse(writeText.mock.calls[0]?.[0] ?? "");
    expect(copied).toEqual({ members });
    expect(await screen.findByText("Copied")).toBeDefined();
  });

  it("opens its first levels alone, and the others on demand", async () => {
    const deep = { one: { two: { three: { four: "found" } } } };
    const page = renderPage(<JsonView value={deep} label="Deep" />);
    const folded = () => [...page.container.querySelectorAll("details")].map(({ open }) => open);
    expect(folded()).toEqual([true, true, true, false]);
    const [, , , last] = [...page.container.querySelectorAll("summary")];
    if (last !== undefined) await page.user.click(last);
    expect(folded().at(-1)).toBe(true);
    expect(within(page.container).getByText('"found"')).toBeDefined();
  });
});
