// @vitest-environment happy-dom
import { act, fireEvent, screen } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { renderPage } from "../../testing/render-page.tsx";
import { changePreferences } from "../preferences.ts";
import type { Column } from "./column.ts";
import { DataTable } from "./data-table.tsx";
import { WIDTH_LIMITS } from "./use-column-widths.ts";

interface Row {
  readonly name: string;
}

const COLUMNS: readonly Column<Row>[] = [
  { id: "name", header: "Name", width: 100, cell: ({ name }) => name },
  { id: "zone", header: "Zone", width: 120, cell: () => "a" },
];

function show(label = "Nodes") {
  return renderPage(
    <DataTable
      label={label}
      columns={COLUMNS}
      rows={[{ name: "w-1" }]}
      total={1}
      rowKey={({ name }) => name}
    />,
  );
}

const grip = (column = "Name") => screen.getByRole("separator", { name: `Width of ${column}` });
const width = (column?: string) => Number(grip(column).getAttribute("aria-valuenow"));

/** Provides the layout of a browser, as the test environment has none. */
function laidOut(pixels: number): void {
  const rect = { width: pixels } as DOMRect;
  vi.spyOn(Element.prototype, "getBoundingClientRect").mockReturnValue(rect);
}

afterEach(() => {
  vi.restoreAllMocks();
  act(() => changePreferences(() => ({ columnWidths: {} })));
});

describe("the width of a column", () => {
  it("changes with the arrow keys, one step at a time, from the width shown", async () => {
    const page = show();
    laidOut(200);
    grip().focus();
    await page.user.keyboard("{ArrowRight}");
    expect(width()).toBe(216);
    laidOut(216);
    await page.user.keyboard("{ArrowLeft}");
    expect(width()).toBe(200);
    expect(width("Zone")).toBe(120);
  });

  it("follows the pointer while it is held down, and no longer", () => {
    show();
    laidOut(100);
    grip().setPointerCapture = vi.fn();
    fireEvent.pointerMove(grip(), { clientX: 500 });
    expect(width()).toBe(100);
    fireEvent.pointerDown(grip(), { clientX: 300, pointerId: 1 });
    fireEvent.pointerMove(grip(), { clientX: 350 });
    expect(width()).toBe(150);
    fireEvent.pointerUp(grip());
    fireEvent.pointerMove(grip(), { clientX: 500 });
    expect(width()).toBe(150);
  });

  it("stays readable, and leaves room for the other columns", () => {
    show();
    laidOut(100);
    grip().setPointerCapture = vi.fn();
    fireEvent.pointerDown(grip(), { clientX: 300, pointerId: 1 });
    fireEvent.pointerMove(grip(), { clientX: -900 });
    expect(width()).toBe(WIDTH_LIMITS.least);
    fireEvent.pointerMove(grip(), { clientX: 9_000 });
    expect(width()).toBe(WIDTH_LIMITS.most);
  });

  it.each(["Enter", "a double click"])("fits what is in sight by %s", async (how) => {
    const page = show();
    vi.spyOn(Range.prototype, "getBoundingClientRect").mockReturnValue({ width: 300 } as DOMRect);
    if (how === "Enter") {
      grip().focus();
      await page.user.keyboard("{Enter}");
    } else await page.user.dblClick(grip());
    expect(width()).toBeGreaterThan(300);
    expect(width()).toBeLessThan(350);
  });

  it("ignores every other key", async () => {
    const page = show();
    grip().focus();
    await page.user.keyboard("x{Home}");
    expect(width()).toBe(100);
  });

  it("is stored by the table's name, so that other tables keep their own", async () => {
    const page = show();
    laidOut(200);
    grip().focus();
    await page.user.keyboard("{ArrowRight}");
    page.unmount();
    const same = show();
    expect(width()).toBe(216);
    same.unmount();
    show("Runs");
    expect(width()).toBe(100);
  });
});
