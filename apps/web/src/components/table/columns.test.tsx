// @vitest-environment happy-dom
import { cleanup, render, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { Column } from "./column.ts";
import { column, textColumn, timeColumn } from "./columns.tsx";

interface Row {
  readonly zone: string | undefined;
  readonly at: number | undefined;
}

function shown(of: Column<Row, "zone">, row: Partial<Row>) {
  render(<p>{of.cell({ zone: undefined, at: undefined, ...row })}</p>);
  return screen.getByRole("paragraph").textContent;
}

describe("a column of text", () => {
  const zone = textColumn<Row, "zone">(
    ["zone", "Zone", 90, { sort: "zone" }],
    ({ zone: of }) => of,
    {
      isNews: true,
    },
  );

  it("shows the text, in full in its tooltip if the cell cuts it off", () => {
    expect(shown(zone, { zone: "eu-west-1a" })).toBe("eu-west-1a");
    expect(screen.getByTitle("eu-west-1a")).toBeDefined();
  });

  it.each([undefined, ""])("says that there is none instead of %j", (text) => {
    expect(shown(zone, { zone: text })).toBe("–none");
  });

  it("keeps its other options, and compares the text where a change is news", () => {
    expect(zone).toMatchObject({ id: "zone", header: "Zone", width: 90, sort: "zone" });
    expect(zone.value?.({ zone: "b", at: 1 })).toBe("b");
    expect(textColumn<Row>(["zone", "Zone", 90], () => "b").value).toBeUndefined();
  });
});

it("a column of times shows a dash without a time, but not for the time zero", () => {
  const seen = timeColumn<Row>(["seen", "Seen", 90], ({ at }) => at);
  expect(shown(seen, {})).toBe("–none");
  cleanup();
  expect(shown(seen, { at: 0 })).not.toBe("–none");
});

it("a column with custom cells passes the row to each cell", () => {
  expect(
    shown(
      column<Row>(["x", "X", 1], ({ zone }) => zone?.toUpperCase()),
      { zone: "a" },
    ),
  ).toBe("A");
});
