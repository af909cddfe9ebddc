// @vitest-environment happy-dom
import { act, screen, waitFor } from "@testing-library/react";
import {
  PathnameContext,
  SearchParamsContext,
} from "next/dist/shared/lib/hooks-client-context.shared-runtime";
import { usePathname } from "next/navigation";
import { hydrateRoot } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { ANA, type RenderedPage, renderPage } from "../../testing/render-page.tsx";
import { Link } from "../link.tsx";
import { PeekLayout, PeekPanel } from "../peek-panel/peek-panel.tsx";
import { usePeek } from "../peek-panel/use-peek.ts";
import { column } from "../table/columns.tsx";
import { DataTable } from "../table/data-table.tsx";
import { optionalTextParam, urlCodec } from "../url/url-codec.ts";
import { useUrlState } from "../url/use-url-state.ts";
import { forgetTrail, TrailOwnerProvider } from "./kept-trail.ts";
import { TrailLinks, useTrailKeys } from "./neighbours.tsx";
import { useTrail } from "./use-trail.ts";

/** How user-event writes the key `[`. */
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

/** A hydrated page at an address, without the rest of the dashboard. */
function Address({ of }: { readonly of: string }) {
  return (
    <SearchParamsContext value={new URLSearchParams()}>
      <PathnameContext value={of}>
        <TrailOwnerProvider value={ANA.id}>
          <TrailLinks />
        </TrailOwnerProvider>
      </PathnameContext>
    </SearchParamsContext>
  );
}

/** A list with one of its rows open. */
function TrailOf({
  rows,
  opened,
}: {
  readonly rows: readonly { readonly name: string }[];
  readonly opened: number;
}) {
  useTrail(rows, COLUMNS);
  const name = rows[opened]?.name ?? "";
  return (
    <a href={pageOf({ name })} onClick={(event) => event.preventDefault()}>
      {name}
    </a>
  );
}

const show = (query = "") => renderPage(<Site />, { address: `/c/c-1/nodes${query}` });
const addressNow = () => `${window.location.pathname}${window.location.search}`;

/** Next's router is not available in the test: the link is pressed and its target rendered. */
async function follow(page: RenderedPage, name: string, tab = "") {
  const link = screen.getByRole("link", { name });
  link.addEventListener("click", (event) => event.preventDefault());
  await page.user.click(link);
  act(() => window.history.pushState(null, "", `${link.getAttribute("href")}${tab}`));
}

describe("the pages of a list's rows", () => {
  it("are visited with keys, in the list's order, on the same tab", async () => {
    const page = show();
    await follow(page, "w:2", "?tab=runs");
    await page.user.keyboard("]");
    expect(addressNow()).toBe("/c/c-1/nodes/w-3?tab=runs");
    await page.user.keyboard("]");
    expect(addressNow()).toBe("/c/c-1/nodes/w-3?tab=runs");
    await page.user.keyboard(BACK.repeat(2));
    expect(addressNow()).toBe("/c/c-1/nodes/w-1?tab=runs");
  });

  it("link to their neighbours, and each link names its key", async () => {
    const page = show();
    await follow(page, "w-1");
    expect(screen.queryByRole("link", { name: "‹ Previous" })).toBeNull();
    const next = screen.getByRole("link", { name: "Next ›" });
    expect(next.getAttribute("href")).toBe("/c/c-1/nodes/w%3A2");
    expect(next.getAttribute("aria-keyshortcuts")).toBe("]");
  });

  it("follow the list also if the panel beside it was the way in", async () => {
    const page = show("?peek=w-3");
    await follow(page, "Open page");
    await page.user.keyboard(BACK);
    expect(addressNow()).toBe("/c/c-1/nodes/w%3A2");
  });

  it("have no neighbours if no list led to them", async () => {
    const page = renderPage(<Site />, { address: "/c/c-1/nodes/w-77" });
    expect(screen.queryAllByRole("link")).toEqual([]);
    await page.user.keyboard(`${BACK}]`);
    expect(addressNow()).toBe("/c/c-1/nodes/w-77");
  });
});

describe("after reloading the page", () => {
  const AT = "/c/c-1/nodes/w%3A2";
  const reload = (page: RenderedPage, viewer = ANA) => {
    page.unmount();
    return renderPage(<Site />, { address: AT, viewer });
  };
  const links = () => screen.queryAllByRole("link").map((link) => link.getAttribute("href"));
  const keep = (pages: readonly unknown[]) => JSON.stringify({ owner: ANA.id, pages });

  it("the list can still be followed", async () => {
    const page = show();
    await follow(page, "w:2");
    const again = reload(page);
    expect(links()).toEqual(["/c/c-1/nodes/w-1", "/c/c-1/nodes/w-3"]);
    await again.user.keyboard("]");
    expect(addressNow()).toBe("/c/c-1/nodes/w-3");
  });

  it("another user who signs in cannot follow it", async () => {
    const page = show();
    await follow(page, "w:2");
    reload(page, { ...ANA, id: "u-2" });
    expect(links()).toEqual([]);
  });

  it("nothing is left of it once its user has signed out", async () => {
    const page = show();
    await follow(page, "w:2");
    act(forgetTrail);
    expect(links()).toEqual([]);
    expect(sessionStorage).toHaveLength(0);
  });

  it.each([
    ["no JSON", "{"],
    ["of another shape", JSON.stringify([AT])],
    ["of nobody", JSON.stringify({ pages: [AT, "/c/c-1/nodes/w-3"] })],
    ["of pages elsewhere", keep([AT, "https://elsewhere.example/c/c-1/nodes/w-3"])],
    ["of pages of another host", keep(["//elsewhere.example/c/c-1/x", AT])],
    ["of another cluster", keep([AT, "/c/c-2/nodes/w-3"])],
    ["longer than any list that is kept", keep(Array.from({ length: 401 }, () => AT))],
  ])("content that is %s is ignored", (_, entry) => {
    sessionStorage.setItem("cloudwright.trail", entry);
    renderPage(<Site />, { address: AT });
    expect(links()).toEqual([]);
  });

  it("a long list keeps the rows nearest to the opened one", async () => {
    const rows = Array.from({ length: 5_000 }, (_, index) => ({ name: `n-${index}` }));
    const page = renderPage(<TrailOf rows={rows} opened={3_000} />, { address: "/c/c-1/nodes" });
    await page.user.click(screen.getByRole("link", { name: "n-3000" }));
    expect(JSON.stringify(sessionStorage.getItem("cloudwright.trail")).length).toBeLessThan(20_000);
    page.unmount();
    renderPage(<Site />, { address: "/c/c-1/nodes/n-3000" });
    expect(links()).toEqual(["/c/c-1/nodes/n-2999", "/c/c-1/nodes/n-3001"]);
  });

  it("a list lasts as long as the page where storage is forbidden", async () => {
    const forbidden = vi.fn(() => {
      throw new DOMException("forbidden", "SecurityError");
    });
    const all = { getItem: forbidden, setItem: forbidden, removeItem: forbidden, clear: vi.fn() };
    vi.stubGlobal("sessionStorage", all);
    onTestFinished(() => void vi.unstubAllGlobals());
    await follow(show(), "w:2");
    expect(forbidden).toHaveBeenCalled();
    expect(links()).toEqual(["/c/c-1/nodes/w-1", "/c/c-1/nodes/w-3"]);
    act(forgetTrail);
    expect(links()).toEqual([]);
  });

  it("the page first matches what the server rendered, and then gets its links", async () => {
    const page = show();
    await follow(page, "w:2");
    page.unmount();
    const site = <Address of={AT} />;
    const container = document.body.appendChild(document.createElement("div"));
    container.innerHTML = renderToString(site);
    expect(container.textContent).toBe("");
    const onRecoverableError = vi.fn();
    const root = await act(() => hydrateRoot(container, site, { onRecoverableError }));
    await waitFor(() => expect(links()).toHaveLength(2));
    expect(onRecoverableError).not.toHaveBeenCalled();
    act(() => root.unmount());
    container.remove();
  });
});

describe("the panel beside a list", () => {
  it("moves with the same keys, and the focus moves with it", async () => {
    const page = show("?peek=w-1");
    await page.user.keyboard("]");
    expect(addressNow()).toBe("/c/c-1/nodes?peek=w%3A2");
    expect(document.activeElement?.textContent).toBe("w:2");
    await page.user.keyboard("]]");
    expect(addressNow()).toBe("/c/c-1/nodes?peek=w-3");
    await page.user.keyboard(BACK.repeat(3));
    expect(addressNow()).toBe("/c/c-1/nodes?peek=w-1");
  });

  it("keeps the focus inside it", async () => {
    const page = show("?peek=w-1");
    screen.getByRole("button", { name: "Inside" }).focus();
    await page.user.keyboard("]");
    expect(screen.getByRole("complementary", { name: "Beside the list: w:2" })).toBeDefined();
    expect(document.activeElement?.textContent).toBe("Inside");
  });

  it("is not opened by these keys", async () => {
    const page = show();
    await page.user.keyboard(`${BACK}]`);
    expect(addressNow()).toBe("/c/c-1/nodes");
  });
});
