// @vitest-environment happy-dom
import { act, screen } from "@testing-library/react";
import { usePathname } from "next/navigation";
import { describe, expect, it } from "vitest";
import { type RenderedPage, renderPage } from "../../testing/render-page.tsx";
import { Link } from "../link.tsx";
import { PeekLayout, PeekPanel } from "../peek-panel/peek-panel.tsx";
import { usePeek } from "../peek-panel/use-peek.ts";
import { column } from "../table/columns.tsx";
import { DataTable } from "../table/data-table.tsx";
import { optionalTextParam, urlCodec } from "../url/url-codec.ts";
import { useUrlState } from "../url/use-url-state.ts";
import { TrailLinks, useTrailKeys } from "./neighbours.tsx";

/** How a test presses `[`. */
const BACK = "[[";

const ROWS = ["w-1", "w:2", "w-3"].map((name) => ({ name }));
const pageOf = ({ name }: { readonly name: string }) => `/c/c-1/nodes/${encodeURIComponent(name)}`;
const COLUMNS = [
  column(["name", "Name", 100, { pageOf }], (row: { readonly name: string }) => (
    <Link href={pageOf(row)}>{row.name}</Link>
  )),
];
const codec = urlCodec<{ readonly peek: string | undefined }>({ peek: optionalTextParam("peek") });

function Site() {
  return usePathname() === "/c/c-1/nodes" ? <List /> : <Detail />;
}

function List() {
  const { view, push, replace } = useUrlState(codec);
  const peek = usePeek({ view, push, replace });
  return (
    <PeekLayout
      peek={
        peek.current === undefined ? null : (
          <PeekPanel
            title={peek.current}
            href={pageOf({ name: peek.current })}
            onClose={() => peek.onPeek(undefined)}
          >
            <button type="button">Inside</button>
          </PeekPanel>
        )
      }
    >
      <DataTable
        label="Nodes"
        columns={COLUMNS}
        rows={ROWS}
        total={3}
        rowKey={({ name }) => name}
        peek={{ ...peek, idOf: ({ name }) => name }}
      />
    </PeekLayout>
  );
}

function Detail() {
  useTrailKeys();
  return (
    <nav>
      <TrailLinks />
    </nav>
  );
}

const show = (query = "") => renderPage(<Site />, { address: `/c/c-1/nodes${query}` });
const addressNow = () => `${window.location.pathname}${window.location.search}`;

/** Next's own routing is not here: the link is pressed, and where it leads is shown. */
async function follow(page: RenderedPage, name: string, tab = "") {
  const link = screen.getByRole("link", { name });
  link.addEventListener("click", (event) => event.preventDefault());
  await page.user.click(link);
  act(() => window.history.pushState(null, "", `${link.getAttribute("href")}${tab}`));
}

describe("the pages of a list's rows", () => {
  it("are gone through by keys, in the order of the list, on the same tab", async () => {
    const page = show();
    await follow(page, "w:2", "?tab=runs");
    await page.user.keyboard("]");
    expect(addressNow()).toBe("/c/c-1/nodes/w-3?tab=runs");
    await page.user.keyboard("]");
    expect(addressNow()).toBe("/c/c-1/nodes/w-3?tab=runs");
    await page.user.keyboard(BACK.repeat(2));
    expect(addressNow()).toBe("/c/c-1/nodes/w-1?tab=runs");
  });

  it("lead to those beside them by links that say their keys", async () => {
    const page = show();
    await follow(page, "w-1");
    expect(screen.queryByRole("link", { name: "‹ Previous" })).toBeNull();
    const next = screen.getByRole("link", { name: "Next ›" });
    expect(next.getAttribute("href")).toBe("/c/c-1/nodes/w%3A2");
    expect(next.getAttribute("aria-keyshortcuts")).toBe("]");
  });

  it("follow the list as well where what is beside it led there", async () => {
    const page = show("?peek=w-3");
    await follow(page, "Open page");
    await page.user.keyboard(BACK);
    expect(addressNow()).toBe("/c/c-1/nodes/w%3A2");
  });

  it("have no neighbours where no list led there", async () => {
    const page = renderPage(<Site />, { address: "/c/c-1/nodes/w-77" });
    expect(screen.queryAllByRole("link")).toEqual([]);
    await page.user.keyboard(`${BACK}]`);
    expect(addressNow()).toBe("/c/c-1/nodes/w-77");
  });
});

describe("what is beside a list", () => {
  it("is gone through by the same keys, and the focus goes along", async () => {
    const page = show("?peek=w-1");
    await page.user.keyboard("]");
    expect(addressNow()).toBe("/c/c-1/nodes?peek=w%3A2");
    expect(document.activeElement?.textContent).toBe("w:2");
    await page.user.keyboard("]]");
    expect(addressNow()).toBe("/c/c-1/nodes?peek=w-3");
    await page.user.keyboard(BACK.repeat(3));
    expect(addressNow()).toBe("/c/c-1/nodes?peek=w-1");
  });

  it("keeps the focus that is in it", async () => {
    const page = show("?peek=w-1");
    screen.getByRole("button", { name: "Inside" }).focus();
    await page.user.keyboard("]");
    expect(screen.getByRole("complementary", { name: "Beside the list: w:2" })).toBeDefined();
    expect(document.activeElement?.textContent).toBe("Inside");
  });

  it("is not opened by them", async () => {
    const page = show();
    await page.user.keyboard(`${BACK}]`);
    expect(addressNow()).toBe("/c/c-1/nodes");
  });
});
