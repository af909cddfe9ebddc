// @vitest-environment happy-dom
import type { SavedView } from "@cloudwright/store/views/saved-views";
import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { cluster } from "../../testing/cluster-view.ts";
import { type Answers, refusal, renderPage } from "../../testing/render-page.tsx";
import { viewsFor } from "./find-views.ts";
import { isSameSearch } from "./saved-view-words.ts";
import type { TableOf } from "./table-of.ts";
import { ViewsMenu } from "./views-menu.tsx";

function view(over: Partial<SavedView> = {}): SavedView {
  return {
    ...{ id: "v-1", name: "stuck in a", cluster: undefined, page: "nodes" },
    ...{ search: "state=stuck&zone=a", columns: undefined },
    ...{ isShared: false, isOwn: true, owner: "Ana", mayChange: true, ...over },
  };
}

const COLUMNS = [{ id: "name", pinned: true }, { id: "type" }, { id: "zone" }];
const OF_NODES = { table: "nodes", columns: COLUMNS };

async function open(
  views: readonly SavedView[],
  {
    answers = {},
    address = "/c/c-1/nodes?zone=a&state=stuck&peek=w-1",
    ...menu
  }: {
    readonly of?: TableOf | undefined;
    readonly answers?: Answers;
    readonly address?: string;
  } = {},
) {
  const page = renderPage(<ViewsMenu of={"of" in menu ? menu.of : OF_NODES} />, {
    address,
    answers: {
      "savedViews.list": () => views,
      "clusters.byId": () => cluster(),
      ...answers,
    },
  });
  await page.user.click(screen.getByRole("button", { name: "Views" }));
  await screen.findByRole("menuitem", { name: "Save this view…" });
  return page;
}

const hiddenNow = () =>
  JSON.parse(window.localStorage.getItem("cloudwright.preferences") ?? "{}").hiddenColumns;

describe("the menu of views", () => {
  it("lists the views of this list first, marks the current one, and says who shares each", async () => {
    await open([
      view(),
      view({ id: "v-2", name: "all of b", search: "zone=b", isShared: true, isOwn: false }),
      view({ id: "v-3", name: "failed", page: "runs", search: "q=outcome:failed" }),
      view({ id: "v-4", name: "elsewhere", cluster: "c-2" }),
    ]);
    await screen.findByRole("menuitem", { name: "stuck in a" });
    const items = screen.getAllByRole("menuitem");
    expect(items.map(({ textContent }) => textContent)).toEqual([
      ...["stuck in a", "all of bshared by Ana", "failedRuns", "Save this view…", "Change views…"],
    ]);
    expect(items.map((item) => item.getAttribute("aria-current"))).toEqual([
      ...["true", null, null, null, null],
    ]);
    expect(items[1]?.getAttribute("href")).toBe("/c/c-1/nodes?zone=b");
    expect(items[2]?.getAttribute("href")).toBe("/c/c-1/runs?q=outcome:failed");
  });

  it("says that there are none yet, and offers nothing to change", async () => {
    await open([]);
    expect(await screen.findByText(/^None yet/)).toBeDefined();
    expect(screen.queryByRole("menuitem", { name: "Change views…" })).toBeNull();
  });

  it("says why it has none to show", async () => {
    await open([], {
      answers: { "savedViews.list": refusal("SERVICE_UNAVAILABLE", "The database is away.") },
    });
    expect(await screen.findByText("The database is away.")).toBeDefined();
  });

  it("shows the columns of the opened view", async () => {
    const columns = { table: "volumes", hidden: ["claim"] };
    const page = await open([view({ columns })]);
    await page.user.click(await screen.findByRole("menuitem", { name: /^stuck in a/ }));
    expect(hiddenNow()).toMatchObject({ volumes: ["claim"] });
  });

  it("opens a view as it is by now, and says plainly if it is gone", async () => {
    let views: readonly SavedView[] = [view(), view({ id: "v-2", name: "all of b" })];
    const page = await open(views, { answers: { "savedViews.list": () => views } });
    const choose = async (name: string) =>
      page.user.click(await screen.findByRole("menuitem", { name }));
    await screen.findByRole("menuitem", { name: "all of b" });
    views = [view({ search: "state=stuck" })];
    await choose("all of b");
    const gone = within(await screen.findByRole("dialog", { name: "This view no longer exists" }));
    expect(gone.getByText(/^“all of b” has been removed, or is no longer shared/)).toBeDefined();
    expect(window.location.search).toBe("?zone=a&state=stuck&peek=w-1");
    await page.user.click(gone.getAllByRole("button", { name: "Close" }).at(-1) as HTMLElement);
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await page.user.click(screen.getByRole("button", { name: "Views" }));
    await choose("stuck in a");
    await expect.poll(() => window.location.search).toBe("?state=stuck");
  });

  it("reads the views again each time it opens", async () => {
    let views: readonly SavedView[] = [view()];
    const page = await open(views, { answers: { "savedViews.list": () => views } });
    await screen.findByRole("menuitem", { name: "stuck in a" });
    await page.user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("menu")).toBeNull());
    views = [view({ name: "of somebody else" })];
    await page.user.click(screen.getByRole("button", { name: "Views" }));
    expect(await screen.findByRole("menuitem", { name: "of somebody else" })).toBeDefined();
  });

  it.each([
    ["topology", "?show=services&q=shop"],
    ["budget", "?range=day"],
  ])("keeps what the address of the page %s says, which has no columns", async (name, query) => {
    const page = await open([], {
      ...{ address: `/c/c-1/${name}${query}`, of: undefined },
      answers: { "savedViews.save": () => ({ id: "v-9" }) },
    });
    await page.user.click(screen.getByRole("menuitem", { name: "Save this view…" }));
    const dialog = await screen.findByRole("dialog", { name: "Save this view" });
    await page.user.type(within(dialog).getByLabelText("Name"), "mine");
    await page.user.click(within(dialog).getByRole("button", { name: "Save view" }));
    await waitFor(() => expect(page.sent("savedViews.save")).toHaveLength(1));
    expect(page.sent("savedViews.save")).toMatchObject([
      { list: { page: name, search: query.slice(1), columns: undefined } },
    ]);
  });

  it("is absent on a page without a list", () => {
    renderPage(<ViewsMenu />, { address: "/c/c-1/nodes/w-1" });
    expect(screen.queryByRole("button", { name: "Views" })).toBeNull();
  });
});

describe("saving a view", () => {
  it("sends the address and the hidden columns, for this cluster and private", async () => {
    const page = await open([], { answers: { "savedViews.save": () => ({ id: "v-9" }) } });
    await page.user.click(screen.getByRole("menuitem", { name: "Save this view…" }));
    const dialog = await screen.findByRole("dialog", { name: "Save this view" });
    await page.user.type(within(dialog).getByLabelText("Name"), "  stuck in a ");
    await page.user.click(within(dialog).getByRole("button", { name: "Save view" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(page.sent("savedViews.save")).toEqual([
      {
        ...{ name: "stuck in a", shared: false, cluster: "c-1" },
        list: {
          ...{ page: "nodes", search: "zone=a&state=stuck&peek=w-1" },
          columns: { table: "nodes", hidden: ["type"] },
        },
      },
    ]);
    expect(page.sent("savedViews.list").length).toBeGreaterThan(1);
  });

  it("keeps the form open with the sentence of a refusal", async () => {
    const sentence = "There is a view called x already: replace it, or choose another name.";
    const page = await open([], { answers: { "savedViews.save": refusal("CONFLICT", sentence) } });
    await page.user.click(screen.getByRole("menuitem", { name: "Save this view…" }));
    const dialog = await screen.findByRole("dialog");
    await page.user.type(within(dialog).getByLabelText("Name"), "x");
    await page.user.click(within(dialog).getByLabelText("All clusters"));
    await page.user.click(within(dialog).getByLabelText(/^Shared with everybody/));
    await page.user.click(within(dialog).getByRole("button", { name: "Save view" }));
    expect((await within(dialog).findByRole("alert")).textContent).toBe(sentence);
    expect(page.sent("savedViews.save")).toMatchObject([{ shared: true, cluster: undefined }]);
  });
});

describe("changing views", () => {
  const done = { "savedViews.change": () => null, "savedViews.remove": () => null };

  async function change(views: readonly SavedView[]) {
    const page = await open(views, { answers: done });
    await page.user.click(await screen.findByRole("menuitem", { name: "Change views…" }));
    return { page, dialog: await screen.findByRole("dialog", { name: "Change views" }) };
  }

  it("offers the views that the user may change, and to replace only those of this list", async () => {
    const { dialog } = await change([
      view(),
      view({ id: "v-2", name: "failed", page: "runs" }),
      view({ id: "v-3", name: "another's", isOwn: false, isShared: true, mayChange: false }),
    ]);
    expect(within(dialog).getAllByRole("listitem")).toHaveLength(2);
    expect(within(dialog).getByRole("button", { name: "Replace stuck in a" })).toBeDefined();
    expect(within(dialog).queryByRole("button", { name: "Replace failed" })).toBeNull();
    expect(within(dialog).getByText("Nodes, all clusters, private")).toBeDefined();
  });

  it("renames and shares, replaces, and removes", async () => {
    const { page, dialog } = await change([view()]);
    const press = async (name: string | RegExp) =>
      page.user.click(await within(dialog).findByRole("button", { name }));
    await press("Rename or share stuck in a");
    const name = await within(dialog).findByLabelText("Name");
    await page.user.clear(name);
    await page.user.type(name, "bad nodes");
    await page.user.click(within(dialog).getByLabelText(/^Shared/));
    await press("Save");
    await press("Replace stuck in a");
    await press("Replace view");
    await press("Remove stuck in a");
    await press("Remove view");
    await waitFor(() => expect(page.sent("savedViews.remove")).toEqual([{ id: "v-1" }]));
    expect(page.sent("savedViews.change")).toMatchObject([
      { id: "v-1", name: "bad nodes", shared: true },
      { id: "v-1", list: { page: "nodes", columns: { hidden: ["type"] } } },
    ]);
  });
});

describe("the focus while views are changed", () => {
  const focused = () => document.activeElement;

  it("goes to the form, back to the view, and after a removal to a view that is left", async () => {
    let views: readonly SavedView[] = [view(), view({ id: "v-2", name: "all of b" })];
    const page = await open(views, {
      answers: {
        "savedViews.list": () => views,
        "savedViews.remove": () => {
          views = views.slice(1);
          return null;
        },
      },
    });
    await page.user.click(await screen.findByRole("menuitem", { name: "Change views…" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Change views" }));
    await page.user.click(dialog.getByRole("button", { name: "Rename or share all of b" }));
    expect(focused()).toBe(dialog.getByLabelText("Name"));
    await page.user.click(dialog.getByRole("button", { name: "Cancel" }));
    expect(focused()).toBe(dialog.getByRole("button", { name: "Rename or share all of b" }));
    await page.user.click(dialog.getByRole("button", { name: "Remove stuck in a" }));
    expect(focused()).toBe(dialog.getByRole("button", { name: "Cancel" }));
    await page.user.click(dialog.getByRole("button", { name: "Remove view" }));
    await waitFor(() => expect(dialog.queryByText("stuck in a")).toBeNull());
    expect(focused()).toBe(dialog.getByRole("button", { name: "Rename or share all of b" }));
  });
});

describe("views in the palette", () => {
  const VIEWS = [view(), view({ id: "v-2", name: "failed", page: "runs" })];
  it.each([
    ["stuck", ["stuck in a"]],
    ["view failed", ["failed"]],
    ["nodes stuck", ["stuck in a"]],
    ["nodes", []],
    ["s", []],
    ["", []],
  ])("%j finds %j", (text, names) => {
    expect(viewsFor(VIEWS, text).map(({ name }) => name)).toEqual(names);
  });
});

it.each([
  ["a=1&b=2", "b=2&a=1", true],
  ["a=1&peek=x", "a=1", true],
  ["a=x%20y", "a=x+y", true],
  ["a=1", "a=2", false],
  ["", "a=2", false],
])("addresses %j and %j are equal: %s", (left, right, is) => {
  expect(isSameSearch(left, right)).toBe(is);
});
