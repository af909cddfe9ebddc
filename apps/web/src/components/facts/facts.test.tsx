// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { renderPage } from "../../testing/render-page.tsx";
import { holdChange } from "../../testing/run-detail.ts";
import { DiffTable, keyedChanges } from "./diff-table.tsx";
import { Fact, Facts } from "./fact.tsx";

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

  it("are shown field by field, and only where they differ", () => {
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

  it("have nothing on one side for something created or deleted", () => {
    const page = renderPage(<DiffTable what="of it" before={null} after={{ id: "lb-1" }} />);
    expect(rows()).toEqual([["id", "nothing", "lb-1"]]);
    page.rerender(<DiffTable what="of it" before={{ id: "lb-1" }} after={null} />);
    expect(rows()).toEqual([["id", "lb-1", "nothing"]]);
  });
});

it("each get a key of their own when several have the same kind, so that none is left out", () => {
  const keys = keyedChanges([holdChange("w-1"), holdChange("w-1")]).map(({ key }) => key);
  expect(new Set(keys).size).toBe(2);
});
