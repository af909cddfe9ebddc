// @vitest-environment happy-dom
import { screen, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { renderPage } from "../../testing/render-page.tsx";
import { Link } from "../link.tsx";
import { usePeek } from "../peek-panel/use-peek.ts";
import { useUrlState } from "../url/use-url-state.ts";
import type { Column } from "./column.ts";
import { DataTable } from "./data-table.tsx";

interface Row {
  readonly name: string;
}

const COLUMNS: readonly Column<Row, "name">[] = [
  {
    ...{ id: "name", header: "Name", width: 100, sort: "name" },
    cell: ({ name }) => <Link href={`/c/c-1/nodes/${name}`}>{name}</Link>,
  },
  { id: "size", header: "Size", width: 100, cell: ({ name }) => `${name.length} letters` },
];
const rows = (count: number): readonly Row[] =>
  Array.from({ length: count }, (_, index) => ({ name: `w-${index + 1}` }));

interface View {
  readonly peek: string | undefined;
}

const url = {
  parse: (params: URLSearchParams) => ({
    view: { peek: params.get("peek") ?? undefined },
    dropped: [],
  }),
  format: ({ peek }: View) => (peek === undefined ? "" : `?peek=${peek}`),
};

/** A list whose rows can be opened beside it, and whose rows can be replaced. */
function List({
  first: shown = rows(5),
  onSpace = () => undefined,
}: {
  readonly first?: readonly Row[];
  readonly onSpace?: (row: Row) => void;
}) {
  const { view, push, replace } = useUrlState<View>(url);
  const peek = usePeek({ view, push, replace });
  return (
    <>
      <input aria-label="A field" />
      <DataTable
        label="Nodes"
        columns={COLUMNS}
        rows={shown}
        total={shown.length}
        rowKey={({ name }) => name}
        peek={{ ...peek, idOf: ({ name }) => name }}
        onSpace={onSpace}
      />
      {view.peek === undefined ? null : (
        <aside>
          {view.peek}
          <button type="button" onClick={() => peek.onPeek(undefined)}>
            Close
          </button>
        </aside>
      )}
    </>
  );
}

const show = (props: Parameters<typeof List>[0] = {}) =>
  renderPage(<List {...props} />, { address: "/c/c-1/nodes" });
const focused = () => document.activeElement?.textContent;

describe("moving through a list with keys", () => {
  it("starts at the first row, moves row by row and stops at both ends", async () => {
    const page = show({ first: rows(2) });
    await page.user.keyboard("j");
    expect(focused()).toBe("w-1");
    await page.user.keyboard("j");
    expect(focused()).toBe("w-2");
    await page.user.keyboard("j");
    expect(focused()).toBe("w-2");
    await page.user.keyboard("kk");
    expect(focused()).toBe("w-1");
  });

  it("opens the focused row through its link, as Enter would", async () => {
    const page = show();
    const opened = vi.fn((event: Event) => event.preventDefault());
    await page.user.keyboard("jj");
    document.activeElement?.addEventListener("click", opened);
    await page.user.keyboard("o");
    expect(opened).toHaveBeenCalledOnce();
  });

  it("selects the focused row with Space, and nothing if no row is focused", async () => {
    const onSpace = vi.fn();
    const page = show({ onSpace });
    await page.user.keyboard(" ");
    expect(onSpace).not.toHaveBeenCalled();
    await page.user.keyboard("jj ");
    expect(onSpace.mock.calls).toEqual([[{ name: "w-2" }]]);
  });

  it("leaves keys to a focused field", async () => {
    const page = show();
    await page.user.type(screen.getByLabelText("A field"), "jjx");
    expect(screen.getByLabelText<HTMLInputElement>("A field").value).toBe("jjx");
    expect(window.location.search).toBe("");
  });
});

describe("opening a row beside the list", () => {
  it("is started and ended by a key on the focused row, and is kept in the address", async () => {
    const page = show();
    await page.user.keyboard("jjx");
    expect(window.location.search).toBe("?peek=w-2");
    await page.user.keyboard("x");
    expect(window.location.search).toBe("");
  });

  it("follows the keys once it has started", async () => {
    const page = show();
    await page.user.keyboard("jxj");
    expect(window.location.search).toBe("?peek=w-2");
    expect(screen.getByRole("complementary").textContent).toContain("w-2");
  });

  it("is started by a click on the row, but not on its link", async () => {
    const page = show();
    await page.user.click(screen.getByText("3 letters", { selector: "[data-index='2'] *" }));
    expect(window.location.search).toBe("?peek=w-3");
  });

  it("returns the focus to the row when it is closed", async () => {
    const page = show();
    await page.user.keyboard("jjx");
    await page.user.click(screen.getByRole("button", { name: "Close" }));
    await expect.poll(focused).toBe("w-2");
  });
});

describe("a long list", () => {
  it("renders only what is in sight, and says how many rows there are", () => {
    show({ first: rows(5_000) });
    const table = screen.getByRole("table", { name: "Nodes" });
    expect(within(table).getAllByRole("link").length).toBeLessThan(200);
    expect(table.getAttribute("aria-rowcount")).toBe("5001");
  });

  it("announces each row's position among all rows", () => {
    show();
    const indexes = within(screen.getByRole("table"))
      .getAllByRole("row")
      .map((row) => row.getAttribute("aria-rowindex"));
    expect(indexes.slice(1)).toEqual(["2", "3", "4", "5", "6"]);
  });

  it("requests more rows when its end comes near, and not before", () => {
    const near = vi.fn();
    const list = (count: number) => (
      <DataTable
        {...{
          label: "Nodes",
          columns: COLUMNS,
          rows: rows(count),
          total: undefined,
          onNearEnd: near,
        }}
        rowKey={({ name }) => name}
      />
    );
    renderPage(list(1_000));
    expect(near).not.toHaveBeenCalled();
    renderPage(list(200));
    expect(near).not.toHaveBeenCalled();
    renderPage(list(60));
    expect(near).toHaveBeenCalledTimes(1);
    renderPage(list(1));
    expect(near).toHaveBeenCalledTimes(2);
  });
});

describe("the column headers", () => {
  it("announce the sorted column and its direction", async () => {
    const onSort = vi.fn();
    const page = renderPage(
      <DataTable
        {...{ label: "Nodes", columns: COLUMNS, rows: rows(2), total: 2, onSort }}
        rowKey={({ name }) => name}
        sort={{ by: "name", descending: true }}
      />,
    );
    const name = screen.getByRole("columnheader", { name: /^Name/ });
    expect(name.getAttribute("aria-sort")).toBe("descending");
    await page.user.click(within(name).getByRole("button"));
    expect(onSort).toHaveBeenCalledWith("name");
    const size = screen.getByRole("columnheader", { name: /^Size/ });
    expect(within(size).queryByRole("button", { name: /^Size/ })).toBeNull();
  });

  it("leave out hidden columns", () => {
    renderPage(
      <DataTable
        {...{
          label: "Nodes",
          columns: COLUMNS,
          rows: rows(1),
          total: 1,
          hidden: new Set(["size"]),
        }}
        rowKey={({ name }) => name}
      />,
    );
    expect(screen.queryByRole("columnheader", { name: /^Size/ })).toBeNull();
    expect(screen.queryByText("3 letters")).toBeNull();
  });
});
