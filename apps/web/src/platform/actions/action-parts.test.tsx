// @vitest-environment happy-dom
import type { Intent, IntentState } from "@cloudwright/core/model/actions/intent";
import { act, screen } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { cluster } from "../../testing/cluster-view.ts";
import { ANA, type Answers, refusal, renderPage } from "../../testing/render-page.tsx";
import { nodeAction } from "./action-choice.ts";
import { CancelButton } from "./cancel-button.tsx";
import { ActionDialogs } from "./dialog/action-dialogs.tsx";
import { closeDialog } from "./dialog-store.ts";
import { EndingLine } from "./ending-line.tsx";
import { GatedButton } from "./gated-button.tsx";
import { MoreActions } from "./more-actions.tsx";
import { OpenActions } from "./open-actions.tsx";
import { StepsLine } from "./steps-line.tsx";
import { intent } from "./testing/intents.ts";

const NODE = {
  cluster: "c-1",
  controller: "cloud-node-controller",
  name: "w-9",
  uid: "u-9",
} as const;

afterEach(() => act(closeDialog));

describe("cancelling an action", () => {
  const cancelButton = () => screen.queryByRole("button", { name: "Cancel action" });

  function show(
    part: Partial<Intent> = {},
    { answers = {}, viewer = ANA }: { answers?: Answers; viewer?: typeof ANA } = {},
  ) {
    return renderPage(<CancelButton intent={intent(part)} appearance="plain" />, {
      answers: { "intents.cancel": () => intent({ state: "cancelled" }), ...answers },
      viewer,
    });
  }

  it.each<[IntentState, boolean]>([
    ["awaiting-approval", true],
    ["requested", true],
    ["claimed", false],
    ["running", false],
    ["verified", false],
    ["failed", false],
    ["cancelled", false],
  ])("that is %s can be done: %s", (state, isOffered) => {
    show({ state });
    expect(cancelButton() !== null).toBe(isOffered);
  });

  it("is requested once, however often it is pressed", async () => {
    const answers = { "intents.cancel": () => new Promise(() => undefined) };
    const page = show({}, { answers });
    const button = screen.getByRole("button", { name: "Cancel action" });
    await page.user.click(button);
    await page.user.click(button);
    await expect.poll(() => page.sent("intents.cancel")).toEqual([{ cluster: "c-1", id: "i-1" }]);
  });

  it("says why it failed, and can be tried again", async () => {
    const answers = { "intents.cancel": refusal("SERVICE_UNAVAILABLE", "The ledger is down.") };
    const page = show({}, { answers });
    await page.user.click(screen.getByRole("button", { name: "Cancel action" }));
    expect((await screen.findByRole("alert")).textContent).toContain("The ledger is down.");
    await page.user.click(screen.getByRole("button", { name: "Cancel action" }));
    await expect.poll(() => page.sent("intents.cancel")).toHaveLength(2);
  });

  it.each([
    ["an operator's own", "operator", "Ana", undefined],
    ["somebody else's, for an admin", "admin", "Ben", undefined],
    [
      ...(["somebody else's, for an operator", "operator", "Ben"] as const),
      "Only Ben, who requested it, or an admin can cancel it.",
    ],
  ] as const)("%s", async (...of) => {
    const [, role, actor, whyNot] = of;
    const page = show({ actor }, { viewer: { ...ANA, role } });
    const button = screen.getByRole("button", { name: "Cancel action" });
    expect(button.getAttribute("aria-description") ?? undefined).toBe(whyNot);
    await page.user.click(button);
    const asked = whyNot === undefined ? 1 : 0;
    await expect.poll(() => page.sent("intents.cancel").length).toBe(asked);
  });
});

describe("a disabled button", () => {
  it("does nothing, keeps its place and tells screen readers why", async () => {
    const onClick = vi.fn();
    const page = renderPage(
      <GatedButton whyNot="The leader is silent." onClick={onClick}>
        Hold
      </GatedButton>,
    );
    const button = screen.getByRole("button", { name: "Hold" });
    expect(button.getAttribute("aria-description")).toBe("The leader is silent.");
    await page.user.click(button);
    expect(onClick).not.toHaveBeenCalled();
    expect(button.getAttribute("aria-disabled")).toBe("true");
  });

  it("shows why only on keyboard focus, until Escape or the next Tab stop", async () => {
    const page = renderPage(
      <GatedButton whyNot="The leader is silent." onClick={vi.fn()}>
        Hold
      </GatedButton>,
    );
    await page.user.tab();
    expect(await screen.findByText("The leader is silent.")).toBeDefined();
    await page.user.keyboard("{Escape}");
    await expect.poll(() => screen.queryByText("The leader is silent.")).toBeNull();
  });

  it("does not submit its form", async () => {
    const onSubmit = vi.fn();
    const page = renderPage(
      <form onSubmit={onSubmit}>
        <GatedButton type="submit" whyNot="The plan is not known yet.">
          Hold node
        </GatedButton>
      </form>,
    );
    await page.user.click(screen.getByRole("button", { name: "Hold node" }));
    expect(onSubmit).not.toHaveBeenCalled();
  });
});

describe("the menu of rare actions", () => {
  const items = [
    {
      choice: nodeAction(NODE, "hold"),
      note: "Nothing is written meanwhile.",
    },
    { choice: nodeAction(NODE, "override"), note: "Pods may come." },
  ];
  const show = (role: "admin" | "operator") =>
    renderPage(
      <>
        <MoreActions items={items} />
        <ActionDialogs />
      </>,
      { viewer: { ...ANA, role }, answers: { "people.admins": () => ["Cleo"] } },
    );

  it("opens an action's dialog, and returns the focus to the menu's button", async () => {
    const page = show("admin");
    await page.user.click(screen.getByRole("button", { name: "More actions" }));
    await page.user.click(await screen.findByRole("menuitem", { name: /^Hold…/ }));
    await screen.findByRole("dialog", { name: "Hold node w-9" });
    await page.user.keyboard("{Escape}");
    await expect.poll(() => screen.queryByRole("dialog")).toBeNull();
    await expect
      .poll(() => document.activeElement?.getAttribute("aria-label"))
      .toBe("More actions");
  });

  it("shows why the user may not do it instead of the note, and opens nothing", async () => {
    const page = show("operator");
    await page.user.click(screen.getByRole("button", { name: "More actions" }));
    const override = await screen.findByRole("menuitem", { name: /^Override taint…/ });
    await expect.poll(() => override.textContent).toMatch(/Needs role admin.*Cleo\.$/);
    await page.user.click(override);
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(screen.getByRole("menuitem", { name: /^Hold…/ }).textContent).toMatch(/meanwhile\.$/);
  });
});

describe("a hold that ends by itself", () => {
  const show = (leftMs: number, { skewMs = 0 } = {}) =>
    renderPage(
      <EndingLine
        choice={nodeAction(NODE, "hold")}
        what="Held by ana"
        until={Date.now() + leftMs}
        afterwards="Its controllers then go on."
      />,
      { answers: { "clusters.byId": () => cluster({ serverNow: Date.now() - skewMs }) } },
    );
  const line = () => screen.getByText(/^Held by ana/).textContent;

  it("says until when, how long that is, and what happens then", () => {
    show(24 * 60_000 + 900);
    expect(line()).toMatch(/^Held by ana until .*\(24.min left\)\. Its controllers then go on\.$/);
    expect(screen.getByRole("status").textContent).toBe("");
  });

  it("is announced once less than ten minutes are left", () => {
    show(9 * 60_000);
    expect(screen.getByRole("status").textContent).toMatch(/ ends in less than 10 minutes/);
  });

  it("does not count below zero: it is being lifted", () => {
    show(-5_000);
    expect(line()).toMatch(/ended, being lifted now/);
  });

  it("counts by the server's clock, not this browser's", async () => {
    show(0, { skewMs: 24 * 60_000 });
    await expect.poll(line).toMatch(/\(2[34].min/);
  });

  it("can be extended", () => {
    show(60_000);
    expect(screen.getByRole("button", { name: "Extend… the hold" })).toBeDefined();
  });
});

describe("the progress of an action", () => {
  const steps = (part: Partial<Intent>) => {
    renderPage(<StepsLine intent={intent(part)} />);
    return screen.getAllByRole("listitem").map(({ textContent }) => textContent);
  };

  it("is shown step by step, also to screen readers", () => {
    expect(steps({ state: "running", claimedBy: "ctl-1_aa" })).toEqual([
      "Requested (done)",
      "Claimed (done)",
      "Running (now)",
      "Verified (to come)",
    ]);
    expect(screen.getByText("Running").getAttribute("aria-current")).toBe("step");
  });

  it("stops where it ended, without steps that were never reached", () => {
    expect(steps({ state: "expired" })).toEqual(["Requested (done)", "Expired (ended here)"]);
  });
});

it("an open action of an object says who requested it, its state and its time left, and links to it", () => {
  const open = intent({
    id: "i-7",
    state: "claimed",
    actor: "Ben",
    requestedAt: Date.now() - 14 * 60_000,
  });
  const page = renderPage(<OpenActions of={{ openIntents: [open] }} />);
  expect(screen.getByRole("link", { name: "Hold node w-9" }).getAttribute("href")).toBe(
    "/c/c-1/actions/i-7",
  );
  expect(page.container.querySelector("p")?.textContent).toMatch(/Ben 14.min ago/);
});

it("says when the object's actions could not be read, instead of that there are none", () => {
  renderPage(<OpenActions of={{ openIntents: [], unread: ["openIntents"] }} />);
  expect(screen.getByRole("status").textContent).toMatch(/^The open actions could not be read\./);
  expect(screen.getByRole("button", { name: "Try again" })).toBeDefined();
});
