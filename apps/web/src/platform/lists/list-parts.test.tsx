// @vitest-environment happy-dom
import type { Total } from "@cloudwright/store/views/views";
import { screen } from "@testing-library/react";
import { useState } from "react";
import { describe, expect, it, vi } from "vitest";
import { NO_STATES } from "../../testing/cluster-view.ts";
import { renderPage } from "../../testing/render-page.tsx";
import { StateCounters } from "./counters.tsx";
import { ListToolbar } from "./list-toolbar.tsx";
import { type ListView, listFilter, listUrl } from "./list-view.ts";
import { EmptyList, ListFooter } from "./loaded-list.tsx";

const URL_OF_LIST = listUrl<ListView, object>({ sorts: ["state"], filter: listFilter });
const ALL = URL_OF_LIST.parse(new URLSearchParams()).view;

describe("the counters of a list", () => {
  const counts = { ...NO_STATES, stuck: 2, ok: 1_200 };

  it("show how many rows are in each state, and when that is not known yet", () => {
    const page = renderPage(
      <StateCounters counts={undefined} chosen={[]} onToggle={() => undefined} />,
    );
    expect(screen.getByRole("button", { name: /^Stuck/ }).textContent).toBe("Stuck–");
    page.unmount();
    renderPage(<StateCounters counts={counts} chosen={[]} onToggle={() => undefined} />);
    expect(screen.getByRole("button", { name: /^Stuck/ }).textContent).toBe("Stuck2");
    expect(screen.getByRole("button", { name: /^OK/ }).textContent).toBe("OK1,200");
    expect(screen.getByRole("button", { name: /^Held/ }).textContent).toBe("Held0");
  });

  it("are pressed if the list is filtered by them, and report which was pressed", async () => {
    const onToggle = vi.fn();
    const page = renderPage(
      <StateCounters counts={counts} chosen={["stuck"]} onToggle={onToggle} />,
    );
    const pressed = screen.getAllByRole("button", { pressed: true });
    expect(pressed.map(({ textContent }) => textContent)).toEqual(["Stuck2"]);
    await page.user.click(screen.getByRole("button", { name: /^OK/ }));
    expect(onToggle).toHaveBeenCalledWith("ok");
  });
});

describe("the toolbar of a list", () => {
  function Toolbar({ first }: { readonly first: ListView }) {
    const [view, setView] = useState(first);
    return (
      <>
        <ListToolbar
          things="volumes"
          placeholder="name"
          view={view}
          push={setView}
          replace={setView}
          url={URL_OF_LIST}
          layout={<span>Columns</span>}
          tools={<span>Export</span>}
        />
        <output>{URL_OF_LIST.format(view)}</output>
      </>
    );
  }

  const show = (over: Partial<ListView> = {}) =>
    renderPage(<Toolbar first={{ ...ALL, ...over }} />);
  const address = () => screen.getByRole("status").textContent;

  it("offers to clear filters only if there are some", async () => {
    const page = show({ text: "pv", states: ["stuck"], peek: "pv-1" });
    await page.user.click(screen.getByRole("button", { name: "Clear filters" }));
    expect(address()).toBe("?peek=pv-1");
    expect(screen.queryByRole("button", { name: "Clear filters" })).toBeNull();
    expect(screen.getByRole("searchbox", { name: "Filter volumes" })).toHaveProperty("value", "");
  });

  it("names the reason that a link from another page filters by, and can clear it alone", async () => {
    const page = show({ reason: "InstanceNotFound", states: ["stuck"] });
    const reason = screen.getByRole("button", { name: "Reason · InstanceNotFound" });
    expect(reason.getAttribute("aria-pressed")).toBe("true");
    await page.user.click(reason);
    expect(address()).toBe("?state=stuck");
  });

  it("shows on its button whether only faults are shown", async () => {
    const page = show({ states: ["stuck", "unknown"] });
    const faults = screen.getByRole("button", { name: "Faults only" });
    expect(faults.getAttribute("aria-pressed")).toBe("true");
    await page.user.click(faults);
    expect(faults.getAttribute("aria-pressed")).toBe("false");
    expect(address()).toBe("");
  });

  it("does not treat a single fault state as all faults", () => {
    show({ states: ["stuck"] });
    const faults = screen.getByRole("button", { name: "Faults only" });
    expect(faults.getAttribute("aria-pressed")).toBe("false");
  });

  it("selects one drift at a time", async () => {
    const page = show({ drift: "drifted" });
    await page.user.click(screen.getByRole("button", { name: "Drift · 1" }));
    await page.user.click(await screen.findByRole("menuitemcheckbox", { name: "In sync" }));
    expect(address()).toBe("?drift=inStep");
  });
});

describe("the footer of a list", () => {
  function foot(total: Total | undefined, over: object = {}) {
    const onShow = vi.fn();
    const list = {
      ...{ total, fresh: 0, show: onShow, isLoadingMore: false, reading: undefined as never },
      ...{ query: undefined as never, beginning: 0, isOfBefore: false, onNearEnd: onShow },
      ...over,
    };
    const page = renderPage(
      <ListFooter thing="load balancer" list={list} isFiltered={"filtered" in over} />,
    );
    return { page, onShow, text: () => screen.getAllByRole("status")[0]?.textContent };
  }

  it.each<[Total | undefined, object, string]>([
    [undefined, {}, ""],
    [{ kind: "exact", count: 1 }, {}, "1 load balancer"],
    [{ kind: "exact", count: 0 }, {}, "0 load balancers"],
    [{ kind: "exact", count: 1_200 }, { filtered: true }, "1,200 load balancers match"],
    [{ kind: "exact", count: 1 }, { filtered: true }, "1 load balancer matches"],
    [{ kind: "atLeast", count: 10_000 }, {}, "10,000+ load balancers"],
  ])("counts %j with %j as “%s”", (total, over, text) => {
    expect(foot(total, over).text()).toBe(text);
  });

  it("says when more rows are loading", () => {
    expect(foot({ kind: "exact", count: 400 }, { isLoadingMore: true }).text()).toMatch(
      /Loading more…$/,
    );
  });

  it("offers rows that arrived in the meantime, and nothing if none did", async () => {
    foot({ kind: "exact", count: 2 }).page.unmount();
    expect(screen.queryByRole("button")).toBeNull();
    const { page, onShow } = foot({ kind: "exact", count: 2 }, { fresh: 3 });
    await page.user.click(screen.getByRole("button", { name: /3 new/ }));
    expect(onShow).toHaveBeenCalledOnce();
  });
});

describe("a list without rows", () => {
  const show = (isFiltered: boolean, onClear = () => undefined) =>
    renderPage(
      <EmptyList
        thing="volume"
        isFiltered={isFiltered}
        onClear={onClear}
        none={<p>There is none.</p>}
      />,
    );

  it("blames the filter only if there is one", async () => {
    const onClear = vi.fn();
    const page = show(true, onClear);
    expect(screen.getByText("No volume matches this filter")).toBeDefined();
    expect(screen.queryByText("There is none.")).toBeNull();
    await page.user.click(screen.getByRole("button", { name: "Show all volumes" }));
    expect(onClear).toHaveBeenCalledOnce();
  });

  it("says why it is empty if there is no filter", () => {
    show(false);
    expect(screen.getByText("There is none.")).toBeDefined();
    expect(screen.queryByRole("button")).toBeNull();
  });
});
