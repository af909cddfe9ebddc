// @vitest-environment happy-dom
import { INTENT_STATES, type Intent } from "@cloudwright/core/model/actions/intent";
import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { INTENT_PRESENTATION } from "../../components/presentation/outcomes.ts";
import { intent } from "../../platform/actions/testing/intents.ts";
import { expectChoice } from "../../testing/choose-columns.ts";
import { cluster } from "../../testing/cluster-view.ts";
import { type Answers, refusal, renderPage } from "../../testing/render-page.tsx";
import { hasShape } from "../../testing/shapes.ts";
import { ActionsPage } from "./actions-page.tsx";

function show(rows: readonly Intent[], answers: Answers = {}, query = "") {
  return renderPage(<ActionsPage />, {
    address: `/c/c-1/actions${query}`,
    answers: {
      "intents.list": () => ({
        rows,
        nextCursor: undefined,
        total: { kind: "exact", count: rows.length },
      }),
      ...answers,
    },
  });
}

const rowOf = async (name: string) => {
  const link = await screen.findByRole("link", { name });
  const row = link.closest<HTMLElement>("[role=row], tr");
  if (row === null) throw new Error(`${name} stands in no row.`);
  return { link, row: within(row) };
};

describe("the list of actions", () => {
  it("is shown although its comments could not be read, says so, and refetches on demand", async () => {
    const total = { kind: "exact", count: 1 };
    const unread = ["comments"];
    const answers = { "intents.list": () => ({ rows: [intent()], total, unread }) };
    const page = show([], answers);
    await rowOf("Hold node w-9");
    expect(screen.getByText(/^Comments could not be read/)).toBeDefined();
    await page.user.click(screen.getByRole("button", { name: "Try again" }));
    await expect.poll(() => page.sent("intents.list")).toHaveLength(2);
  });

  it("requests actions only, newest first, without previews", async () => {
    const page = show([intent()]);
    await rowOf("Hold node w-9");
    expect(page.sent("intents.list")).toMatchObject([
      { cluster: "c-1", filter: { acting: true }, sort: { by: "requested", descending: true } },
    ]);
  });

  it.each([
    [0, "No action is open."],
    [1, "1 action is open."],
    [1_204, "1,204 actions are open."],
  ])("opens with the number of open ones: %i", async (openIntents, sentence) => {
    show([], { "clusters.byId": () => cluster({ openIntents }) });
    expect(await screen.findByText(sentence)).toBeDefined();
  });

  it("shows for each what was requested, by whom, why and with what result", async () => {
    show([intent({ id: "i-7", state: "rejected", result: "It is held by ben already." })]);
    const { link, row } = await rowOf("Hold node w-9");
    expect(link.getAttribute("href")).toBe("/c/c-1/actions/i-7");
    for (const text of ["Rejected", "It is held by ben already.", "ana", "disk check"])
      expect(row.getByText(text), text).toBeDefined();
  });

  it.each(INTENT_STATES)(
    "explains the state of one that is %s if it has no result",
    async (state) => {
      show([intent({ state })]);
      const { row } = await rowOf("Hold node w-9");
      expect(row.getByText(INTENT_PRESENTATION[state].label)).toBeDefined();
      expect(row.getByText(INTENT_PRESENTATION[state].help)).toBeDefined();
    },
  );

  it("has a shape for each except the verified ones", async () => {
    show([intent({ state: "verified" }), intent({ id: "i-2", state: "failed" })]);
    expect(hasShape(await screen.findByText("Verified"))).toBe(false);
    expect(hasShape(screen.getByText("Failed"))).toBe(true);
  });

  it("shows the number of comments on each, and nothing if there are none", async () => {
    const object = { kind: "Node", name: "w-8", uid: "u-8" } as const;
    show([{ ...intent({ id: "i-7" }), comments: 2 } as Intent, intent({ id: "i-8", object })]);
    const { row } = await rowOf("Hold node w-9");
    expect(row.getByRole("img", { name: "2 comments" })).toBeDefined();
    expect((await rowOf("Hold node w-8")).row.queryByRole("img")).toBeNull();
  });

  it("shows the chosen columns", async () => {
    await expectChoice(show([intent()]), "Requested by");
  });

  it("names a retry of one loop by that loop, and of all loops by the object alone", async () => {
    const object = { kind: "Node", name: "w-1", uid: "u-1" } as const;
    const retry = { kind: "retry", object, controller: "node-route-controller" } as const;
    show([
      intent({ ...retry, id: "i-1", action: { kind: "retry" } }),
      intent({
        ...{ ...retry, id: "i-2" },
        action: { kind: "retry", controllers: ["node-route-controller", "cloud-node-controller"] },
      }),
    ]);
    expect((await rowOf("Retry routes of node w-1")).link).toBeDefined();
    expect((await rowOf("Retry node w-1")).link).toBeDefined();
  });

  it("is refetched by a key", async () => {
    const page = show([intent()]);
    await rowOf("Hold node w-9");
    await page.user.keyboard("r");
    await expect.poll(() => page.sent("intents.list")).toHaveLength(2);
  });
});

describe("the filter of actions", () => {
  const filterOf = (query: string) => {
    const page = show([], {}, query);
    return expect
      .poll(() => page.sent("intents.list").map((input) => (input as { filter: object }).filter))
      .toEqual([
        {
          acting: true,
          ...{ text: "shop/web", actionStates: ["failed", "expired"], verbs: ["hold"] },
        },
      ]);
  };

  it("is read from the address", async () => {
    await filterOf("?q=shop/web&state=failed,expired&verb=hold");
  });

  it("is in the address and in the file, and can be cleared", async () => {
    const page = show([]);
    await page.user.type(await screen.findByRole("searchbox", { name: "Filter actions" }), "w-9");
    await page.user.click(screen.getByRole("button", { name: "State" }));
    await page.user.click(await screen.findByRole("menuitemcheckbox", { name: "Failed" }));
    await page.user.keyboard("{Escape}");
    await page.user.click(screen.getByRole("button", { name: "Action" }));
    // One word covers two kinds of action.
    await page.user.click(await screen.findByRole("menuitemcheckbox", { name: "Release" }));
    await page.user.keyboard("{Escape}");
    await expect
      .poll(() => new URLSearchParams(window.location.search).toString())
      .toBe("q=w-9&state=failed&verb=release%2Crelease-guard");
    await page.user.click(await screen.findByRole("button", { name: "Show all actions" }));
    expect(window.location.search).toBe("");
  });

  it("says what the address has that the list does not know", async () => {
    show([], {}, "?verb=explode");
    expect((await screen.findByText(/explode/)).textContent).toMatch(/explode/);
  });
});

describe("an action beside the list", () => {
  it("is opened by a key, with its progress, reason and result", async () => {
    const one = intent({ id: "i-7", state: "failed", result: "It was busy." });
    const page = show([one], { "intents.byId": () => one });
    await rowOf("Hold node w-9");
    await page.user.keyboard("jx");
    const beside = within(
      await screen.findByRole("complementary", { name: "Beside the list: Hold node w-9" }),
    );
    expect(window.location.search).toBe("?peek=i-7");
    expect(beside.getByText(/ended here/).parentElement?.textContent).toMatch(/^Failed/);
    for (const text of ["It was busy.", "disk check"])
      expect(beside.getByText(text), text).toBeDefined();
    expect(beside.getByRole("link", { name: "Open page" }).getAttribute("href")).toBe(
      "/c/c-1/actions/i-7",
    );
  });
});

describe("without actions", () => {
  it("it says where to start the first one", async () => {
    show([]);
    expect(await screen.findByText("No actions have been requested yet")).toBeDefined();
    expect(screen.queryByRole("table")).toBeNull();
  });

  it("it says why they could not be read, not that there are none", async () => {
    const page = show([], {
      "intents.list": refusal("SERVICE_UNAVAILABLE", "The dashboard cannot reach its database."),
    });
    expect((await screen.findByRole("alert")).textContent).toContain("cannot reach its database");
    expect(screen.queryByText("No actions have been requested yet")).toBeNull();
    await page.user.click(screen.getByRole("button", { name: "Try again" }));
    await expect.poll(() => page.sent("intents.list")).toHaveLength(2);
  });

  it("it says neither while they are loading", async () => {
    renderPage(<ActionsPage />);
    expect(await screen.findByRole("status", { name: "Loading" })).toBeDefined();
    expect(screen.queryByText("No actions have been requested yet")).toBeNull();
  });
});
