// @vitest-environment happy-dom
import { screen, within } from "@testing-library/react";
import { useState } from "react";
import { describe, expect, it } from "vitest";
import { renderPage } from "../../testing/render-page.tsx";
import type { Column } from "../table/column.ts";
import { ChoiceMenu } from "./choice-menu.tsx";
import { ColumnsMenu } from "./columns-menu.tsx";
import { useHiddenColumns } from "./hidden-columns.ts";

const CHOICES = [
  { id: "add", label: "To add" },
  { id: "remove", label: "To remove" },
];

function Cells({ choices = CHOICES }: { readonly choices?: typeof CHOICES }) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const toggle = (id: string) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    setChosen(next);
  };
  return <ChoiceMenu label="Cells" {...{ choices, chosen }} onToggle={toggle} />;
}

describe("a menu of choices", () => {
  it("is closed until its button is pressed, and announces that the button opens a menu", () => {
    renderPage(<Cells />);
    const button = screen.getByRole("button", { name: "Cells" });
    expect(button.getAttribute("aria-haspopup")).toBe("menu");
    expect(button.getAttribute("aria-expanded")).toBe("false");
    expect(screen.queryByRole("menu")).toBeNull();
  });

  it("opens at the first press, although it is fetched only then", async () => {
    const page = renderPage(<Cells />);
    await page.user.click(screen.getByRole("button", { name: "Cells" }));
    expect(await screen.findByRole("menuitemcheckbox", { name: "To add" })).toBeDefined();
    expect(screen.getByRole("button", { name: "Cells" }).getAttribute("aria-expanded")).toBe(
      "true",
    );
  });

  it("opens with the keyboard, and returns the focus on Escape", async () => {
    const page = renderPage(<Cells />);
    await page.user.tab();
    await page.user.keyboard("{Enter}");
    await screen.findByRole("menu");
    await page.user.keyboard("{ArrowDown}{Escape}");
    await expect.poll(() => screen.queryByRole("menu")).toBeNull();
    await expect.poll(() => document.activeElement?.textContent).toBe("Cells");
  });

  it("stays open while the user chooses, and its button counts the choices", async () => {
    const page = renderPage(<Cells />);
    await page.user.click(screen.getByRole("button", { name: "Cells" }));
    await page.user.click(await screen.findByRole("menuitemcheckbox", { name: "To add" }));
    await page.user.click(screen.getByRole("menuitemcheckbox", { name: "To remove" }));
    expect(screen.getByRole("button", { name: "Cells · 2" })).toBeDefined();
    const add = screen.getByRole("menuitemcheckbox", { name: "To add" });
    expect(add.getAttribute("aria-checked")).toBe("true");
    await page.user.click(add);
    expect(screen.getByRole("button", { name: "Cells · 1" })).toBeDefined();
  });

  it("says when there is nothing to choose from", async () => {
    const page = renderPage(<Cells choices={[]} />);
    await page.user.click(screen.getByRole("button", { name: "Cells" }));
    expect(await screen.findByText("Nothing to choose from yet")).toBeDefined();
  });
});

interface Row {
  readonly name: string;
}
const column = (id: string, header: string, pinned = false): Column<Row> => ({
  ...{ id, header, width: 100, pinned, cell: ({ name }) => name },
});
const COLUMNS = [column("name", "Name", true), column("zone", "Zone"), column("type", "Type")];

function Shown({ table }: { readonly table: string }) {
  const hidden = useHiddenColumns(table);
  return (
    <>
      <ColumnsMenu table={table} columns={COLUMNS} />
      <p>Hidden: {[...hidden].join(", ")}</p>
    </>
  );
}

describe("the menu of columns", () => {
  it("offers every column except the one that names the row, and hides the ones that are deselected", async () => {
    const page = renderPage(<Shown table="menu-test-1" />);
    await page.user.click(screen.getByRole("button", { name: "Columns" }));
    const menu = within(await screen.findByRole("menu"));
    expect(menu.getAllByRole("menuitemcheckbox").map(({ textContent }) => textContent)).toEqual([
      "Zone",
      "Type",
    ]);
    await page.user.click(menu.getByRole("menuitemcheckbox", { name: "Zone" }));
    expect(screen.getByText("Hidden: zone")).toBeDefined();
    await page.user.click(menu.getByRole("menuitemcheckbox", { name: "Zone" }));
    expect(screen.getByText("Hidden:")).toBeDefined();
  });

  it("shows no count on its button, as shown is the normal state of a column", async () => {
    const page = renderPage(<Shown table="menu-test-4" />);
    await page.user.click(screen.getByRole("button", { name: "Columns" }));
    await page.user.click(await screen.findByRole("menuitemcheckbox", { name: "Type" }));
    expect(screen.getByRole("button", { name: "Columns" })).toBeDefined();
  });

  it("keeps the choice for each table separately, in this browser", async () => {
    const page = renderPage(
      <>
        <Shown table="menu-test-2" />
        <Shown table="menu-test-3" />
      </>,
    );
    const [first] = screen.getAllByRole("button", { name: "Columns" });
    if (first !== undefined) await page.user.click(first);
    await page.user.click(await screen.findByRole("menuitemcheckbox", { name: "Type" }));
    expect(screen.getAllByText(/^Hidden:/).map(({ textContent }) => textContent)).toEqual([
      "Hidden: type",
      "Hidden: ",
    ]);
    const kept = window.localStorage.getItem("cloudwright.preferences") ?? "{}";
    expect(JSON.parse(kept)).toMatchObject({ hiddenColumns: { "menu-test-2": ["type"] } });
  });

  it("shows a column that is hidden by default once it is chosen", async () => {
    const page = renderPage(<Shown table="nodes" />);
    expect(screen.getByText("Hidden: type, address, provider")).toBeDefined();
    await page.user.click(screen.getByRole("button", { name: "Columns" }));
    const type = await screen.findByRole("menuitemcheckbox", { name: "Type" });
    expect(type.getAttribute("aria-checked")).toBe("false");
    await page.user.click(type);
    expect(screen.getByText("Hidden: address, provider")).toBeDefined();
  });

  it("returns to the usual columns with one choice, which it offers only when others are shown", async () => {
    const page = renderPage(<Shown table="routes" />);
    const button = screen.getByRole("button", { name: "Columns" });
    await page.user.click(button);
    await page.user.click(await screen.findByRole("menuitemcheckbox", { name: "Zone" }));
    expect(screen.getByText("Hidden: hop, table, zone")).toBeDefined();
    await page.user.click(screen.getByRole("menuitem", { name: "Show the usual columns" }));
    expect(screen.getByText("Hidden: hop, table")).toBeDefined();
    await expect.poll(() => document.activeElement).toBe(screen.getByRole("button"));
    await page.user.click(screen.getByRole("button", { name: "Columns" }));
    await screen.findByRole("menuitemcheckbox", { name: "Zone" });
    expect(screen.queryByRole("menuitem", { name: "Show the usual columns" })).toBeNull();
  });
});
