// @vitest-environment happy-dom
import type { Found, FoundObject } from "@cloudwright/store/views/find";
import { act, cleanup, screen, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { cluster, controller, instance } from "../../../testing/cluster-view.ts";
import { ANA, type Answers, refusal, renderPage } from "../../../testing/render-page.tsx";
import { runRow } from "../../../testing/run-detail.ts";
import { LazyActionDialogs } from "../../actions/dialog/lazy-action-dialogs.tsx";
import { closeDialog } from "../../actions/dialog-store.ts";
import { LazyPalette } from "./lazy-palette.tsx";
import { palette } from "./palette-request.ts";

const NOTHING: Found = { objects: [], runs: [], runCount: 0, intentId: undefined };

function object(name: string, over: Partial<FoundObject> = {}): FoundObject {
  return {
    kind: "Node",
    name,
    uid: `u-${name}`,
    state: "ok",
    providerID: undefined,
    address: undefined,
    ...over,
  };
}

afterEach(() =>
  act(() => {
    palette.close();
    closeDialog();
  }),
);

const palettePage = (
  <>
    <LazyPalette cluster="c-1" />
    <LazyActionDialogs />
  </>
);

async function open(
  found: (text: string) => Found = () => NOTHING,
  answers: Answers = {},
  viewer: typeof ANA = ANA,
) {
  const page = renderPage(palettePage, {
    address: "/c/c-1/nodes",
    viewer,
    answers: {
      "search.find": (input) => found((input as { readonly text: string }).text),
      ...answers,
    },
  });
  await page.user.keyboard("{Control>}k{/Control}");
  const box = await screen.findByRole<HTMLInputElement>(
    "textbox",
    { name: "Search or jump" },
    { timeout: 10_000 },
  );
  return { page, box };
}

const entries = () =>
  [...document.querySelectorAll<HTMLElement>("[data-action]")].map(
    ({ textContent }) => textContent,
  );
const chosen = () => document.querySelector("[data-action][data-selected]")?.textContent;

describe("the palette", () => {
  it("opens on Ctrl+K with the pages, and requests nothing before something is typed", async () => {
    const { page } = await open();
    expect(entries()).toContain("Nodes that are stuck");
    expect(chosen()).toBe("Overview");
    expect(page.sent("search.find")).toEqual([]);
  });

  it("says that the search failed, not that nothing was found, and still links to pages", async () => {
    const sentence = "The dashboard cannot reach its database.";
    const { page, box } = await open(undefined, {
      "search.find": refusal("SERVICE_UNAVAILABLE", sentence),
    });
    await page.user.type(box, "w-9");
    expect(await screen.findByText(/^The search failed\./)).toBeDefined();
    expect(screen.getByText(new RegExp(sentence))).toBeDefined();
    expect(screen.queryByText(/Nothing found/)).toBeNull();
    await page.user.clear(box);
    await page.user.type(box, "failed");
    expect(entries()).toEqual(["Runs that failed"]);
  });

  it("says that it is searching, not that nothing was found, until the server has answered", async () => {
    const { page, box } = await open(undefined, {
      "search.find": () => new Promise(() => undefined),
    });
    await page.user.type(box, "w-9");
    expect(await screen.findByText("Searching for “w-9”…")).toBeDefined();
    expect(screen.queryByText(/Nothing found/)).toBeNull();
  });

  it("filters the pages by the typed text, and goes to the first on Enter", async () => {
    const { page, box } = await open();
    await page.user.type(box, "failed");
    expect(entries()).toEqual(["Runs that failed"]);
    await page.user.keyboard("{Enter}");
    expect(decodeURIComponent(window.location.href)).toMatch(/\/c\/c-1\/runs\?q=outcome:failed$/);
  });

  it("finds objects by name, id or address, grouped by kind, with what distinguishes them", async () => {
    const { page, box } = await open(() => ({
      ...NOTHING,
      objects: [
        object("shop/web", { kind: "Service", address: "203.0.113.7" }),
        object("w-1", { providerID: "sandbox://i-1", state: "stuck" }),
      ],
    }));
    await page.user.type(box, "w");
    await expect.poll(entries).toContain("w-1sandbox://i-1");
    expect(entries().slice(0, 2)).toEqual(["w-1sandbox://i-1", "shop/web203.0.113.7"]);
    expect(page.sent("search.find").at(-1)).toEqual({ cluster: "c-1", text: "w" });
    await page.user.keyboard("{Enter}");
    expect(window.location.pathname).toBe("/c/c-1/nodes/w-1");
  });

  it("offers a search of all clusters, if there are others", async () => {
    const clusters = () => [cluster(), cluster({ id: "c-2", name: "south" })];
    const { page, box } = await open(undefined, { "clusters.list": clusters });
    await page.user.type(box, "i-4711");
    await expect.poll(entries).toEqual(["Search all clusters for “i-4711”"]);
    await page.user.keyboard("{Enter}");
    expect(window.location.href).toMatch(/\/\?q=i-4711$/);
  });

  it("sends one request for a text typed in one go", async () => {
    const { page, box } = await open();
    await page.user.click(box);
    await page.user.paste("node-12");
    await expect
      .poll(() => page.sent("search.find"))
      .toEqual([{ cluster: "c-1", text: "node-12" }]);
  });

  it("is navigated with arrow keys, and their selection stays when more is found", async () => {
    let answer: (found: Found) => void = () => undefined;
    const { page, box } = await open(undefined, {
      "search.find": () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    });
    await page.user.click(box);
    await page.user.paste("runs");
    await expect.poll(() => page.sent("search.find")).toHaveLength(1);
    await page.user.keyboard("{ArrowDown}");
    const second = chosen();
    expect(second).toBe("Runs that failed");
    act(() => answer({ ...NOTHING, intentId: "0190" }));
    await expect.poll(entries).toContain("Action with this ID0190");
    expect(chosen()).toBeDefined();
  });

  it("links from the id of a cloud call to its runs, and says how many more there are", async () => {
    const run = runRow({ id: "0190aaaa-0000-7000-8000-000000000009", outcome: "failed" });
    const { page, box } = await open(() => ({ ...NOTHING, runs: [run], runCount: 1_200 }));
    await page.user.type(box, "7f3a9c10");
    await expect.poll(entries).toContain("All 1,200 runs of this request7f3a9c10");
    expect(entries()[0]).toMatch(/of w-1Failed, run 0190aaaa/);
  });

  it("says that nothing was found, quoting the text", async () => {
    const { page, box } = await open();
    await page.user.type(box, "zzzz");
    expect(await screen.findByText("Nothing found for “zzzz”")).toBeDefined();
  });

  it("does not search for blanks", async () => {
    const { page, box } = await open();
    await page.user.type(box, "   ");
    expect(entries()).toContain("Overview");
    expect(page.sent("search.find")).toEqual([]);
  });

  it("is closed by Escape, and opens again", async () => {
    const { page } = await open();
    await page.user.keyboard("{Escape}");
    await expect.poll(() => screen.queryByRole("textbox", { name: "Search or jump" })).toBeNull();
    await page.user.keyboard("{Control>}k{/Control}");
    const again = await screen.findByRole("dialog");
    expect(within(again).getByRole("textbox", { name: "Search or jump" })).toBeDefined();
  });

  it("stays closed on a page with another frame that it led to, until it is requested there", async () => {
    const { page } = await open();
    await page.user.keyboard("{Escape}");
    await expect.poll(() => screen.queryByRole("textbox", { name: "Search or jump" })).toBeNull();
    cleanup();
    renderPage(palettePage, { address: "/c/c-2/nodes" });
    await act(() => import("./opened-palette.tsx"));
    expect(screen.queryByRole("textbox", { name: "Search or jump" })).toBeNull();
  });
});

describe("the palette's actions", () => {
  const leader = instance({
    controllers: [controller("cloud-node-controller"), controller("service-lb-controller")],
  });
  const RUNNING: Answers = { "clusters.byId": () => cluster({ leader }) };
  const W_1: Found = { ...NOTHING, objects: [object("w-1", { providerID: "sandbox://i-1" })] };
  const LONG = { timeout: 10_000 };
  const first = () => document.querySelector<HTMLElement>("[data-action]");

  it("open an action's dialog for a found object, with its plan, and nothing is done yet", async () => {
    const { page, box } = await open((text) => (text === "w-1" ? W_1 : NOTHING), RUNNING);
    await page.user.click(box);
    await page.user.paste("hold w-1");
    await expect.poll(chosen, LONG).toBe("Hold node w-1sandbox://i-1");
    expect(page.sent("search.find")).toEqual([{ cluster: "c-1", text: "w-1" }]);
    await page.user.keyboard("{Enter}");
    const dialog = await screen.findByRole("dialog", { name: "Hold node w-1" }, LONG);
    expect(dialog.textContent).toContain("Hold node");
    const kinds = page.sent("intents.request").map((sent) => (sent as { kind: string }).kind);
    expect(kinds.filter((kind) => kind !== "preview")).toEqual([]);
  });

  it("pause a controller by its name, after its dialog", async () => {
    const { page, box } = await open(undefined, RUNNING);
    await page.user.click(box);
    await page.user.paste("pause service-lb-controller");
    await expect.poll(chosen, LONG).toBe("Pause Load balancersLoad balancers");
    await page.user.keyboard("{Enter}");
    await screen.findByRole("dialog", { name: "Pause Load balancers" }, LONG);
  });

  it("keep forbidden entries, say why, and do nothing for them", async () => {
    const viewer = { ...ANA, role: "viewer" } as const;
    const answers = { ...RUNNING, "people.admins": () => ["Ben"] };
    const { page, box } = await open((text) => (text === "w-1" ? W_1 : NOTHING), answers, viewer);
    await page.user.click(box);
    await page.user.paste("hold w-1");
    const why = "Hold node w-1Needs role operator. You are viewer. Admins: Ben.";
    await expect.poll(chosen, LONG).toBe(why);
    expect(first()?.getAttribute("aria-disabled")).toBe("true");
    await page.user.keyboard("{Enter}");
    expect(chosen()).toBe(why);
    expect(screen.queryByRole("dialog", { name: "Hold node w-1" })).toBeNull();
  });

  it("complete the text up to the name of the object to hold", async () => {
    const { page, box } = await open(undefined, RUNNING);
    await page.user.click(box);
    await page.user.paste("hold");
    await expect.poll(chosen, LONG).toMatch(/^Hold…Then type the name of a node/);
    await page.user.keyboard("{Enter}");
    await expect.poll(() => box.value).toBe("hold ");
  });

  it("apply personal settings at once", async () => {
    const { page, box } = await open();
    await page.user.click(box);
    await page.user.paste("dark");
    await expect.poll(chosen, LONG).toBe("Dark theme");
    await page.user.keyboard("{Enter}");
    await expect.poll(() => document.documentElement.dataset.mantineColorScheme).toBe("dark");
  });

  it("rank pages before actions that the text only begins to name", async () => {
    const { page, box } = await open(undefined, RUNNING);
    await page.user.click(box);
    await page.user.paste("re");
    await expect
      .poll(entries, LONG)
      .toContain("Retry now…Then type the name of a node, a Service, a volume or a route");
    expect(entries()[0]).not.toMatch(/^Re/);
  });
});
