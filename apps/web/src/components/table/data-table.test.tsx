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

/** A list whose rows can be looked at beside it, and which can be given other rows. */
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

describe("going through a list by keys", () => {
  it("begins at its first row, goes row by row and stops at both ends", async () => {
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

  it("opens the row in focus by its link, as Enter would", async () => {
    const page = show();
    const opened = vi.fn((event: Event) => event.preventDefault());
    await page.user.keyboard("jj");
    document.activeElement?.addEventListener("click", opened);
    await page.user.keyboard("o");
    expect(opened).toHaveBeenCalledOnce();
  });

  it("marks the row in focus by Space, and none while no row has it", async () => {
    const onSpace = vi.fn();
    const page = show({ onSpace });
    await page.user.keyboard(" ");
    expect(onSpace).not.toHaveBeenCalled();
    await page.user.keyboard("jj ");
    expect(onSpace.mock.calls).toEqual([[{ name: "w-2" }]]);
  });

  it("leaves keys to a field that has the focus", async () => {
    const page = show();
    await page.user.type(screen.getByLabelText("A field"), "jjx");
    expect(screen.getByLabelText<HTMLInputElement>("A field").value).toBe("jjx");
    expect(window.location.search).toBe("");
  });
});

describe("looking at a row beside the list", () => {
  it("is begun and ended by a key on the row in focus, and is kept in the address", async () => {
    const page = show();
    await page.user.keyboard("jjx");
    expect(window.location.search).toBe("?peek=w-2");
    await page.user.keyboard("x");
    expect(window.location.search).toBe("");
  });

  it("goes along with the keys once it has begun", async () => {
    const page = show();
    await page.user.keyboard("jxj");
    expect(window.location.search).toBe("?peek=w-2");
    expect(screen.getByRole("complementary").textContent).toContain("w-2");
  });

  it("is begun by a click on the row, but not on its link", async () => {
    const page = show();
    await page.user.click(screen.getByText("3 letters", { selector: "[data-index='2'] *" }));
    expect(window.location.search).toBe("?peek=w-3");
  });

  it("gives the focus back to the row when it is put away", async () => {
    const page = show();
    await page.user.keyboard("jjx");
    await page.user.click(screen.getByRole("button", { name: "Close" }));
    await expect.poll(focused).toBe("w-2");
  });
});

describe("a long list", () => {
  it("draws what is in sight alone, and says how many there are", () => {
    show({ first: rows(5_000) });
    const table = screen.getByRole("table", { name: "Nodes" });
    expect(within(table).getAllByRole("link").length).toBeLessThan(200);
    expect(table.getAttribute("aria-rowcount")).toBe("5001");
  });

  it("says of each row its place among all", () => {
    show();
    const indexes = within(screen.getByRole("table"))
      .getAllByRole("row")
      .map((row) => row.getAttribute("aria-rowindex"));
    expect(indexes.slice(1)).toEqual(["2", "3", "4", "5", "6"]);
  });

  it("asks for more when its end comes near, and not before", () => {
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

describe("the heads of a list", () => {
  it("say by which column and which way it is sorted", async () => {
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

  it("leave out the columns that were hidden", () => {
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
