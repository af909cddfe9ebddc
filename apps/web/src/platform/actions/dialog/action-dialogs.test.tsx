// @vitest-environment happy-dom
import type { Intent } from "@cloudwright/core/model/actions/intent";
import { act, screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { ANA, type Answers, refusal, renderPage } from "../../../testing/render-page.tsx";
import { ActionButton } from "../action-button.tsx";
import { type ActionChoice, controllerAction, nodeAction } from "../action-choice.ts";
import { closeDialog } from "../dialog-store.ts";
import { intent, shownPlan } from "../testing/intents.ts";
import { ActionDialogs } from "./action-dialogs.tsx";

const NODE = {
  cluster: "c-1",
  controller: "cloud-node-controller",
  name: "w-9",
  uid: "u-9",
} as const;
const HOLD = nodeAction(NODE, "hold");
const OVERRIDE = nodeAction(NODE, "override");
const RETRY = nodeAction(NODE, "retry");

interface Request {
  readonly kind: string;
  readonly id: string;
  readonly action: Intent["action"];
}

const isPreview = (input: unknown): input is Request => (input as Request).kind === "preview";

/** A leader that answers each preview with a plan, and each action with `asked`. */
function leader(
  requested: (input: Request) => Intent = () => intent({ state: "requested" }),
  preview: Partial<Intent> = { state: "verified", preview: shownPlan() },
): Answers {
  return {
    "intents.request": (input) =>
      isPreview(input)
        ? intent({ id: "p-1", kind: "preview", action: input.action, ...preview })
        : requested(input as Request),
  };
}

async function open(choice: ActionChoice, answers: Answers = leader()) {
  const page = renderPage(
    <>
      <ActionButton choice={choice}>Begin</ActionButton>
      <ActionDialogs />
    </>,
    { answers },
  );
  await page.user.click(screen.getByRole("button", { name: "Begin" }));
  const dialog = within(await screen.findByRole("dialog"));
  const requested = () => page.sent("intents.request").filter((input) => !isPreview(input));
  return { page, dialog, requested };
}

afterEach(() => act(closeDialog));

describe("the dialog of an action", () => {
  it("requests a plan first, and shows it with its time", async () => {
    const { page, dialog, requested } = await open(HOLD);
    expect(await dialog.findByText(/^Effect now, planned/)).toBeDefined();
    expect(page.sent("intents.request")).toMatchObject([
      { kind: "preview", cluster: "c-1", object: HOLD.object, action: { kind: "hold" } },
    ]);
    expect(requested()).toEqual([]);
  });

  it("requests exactly what was planned, with the reason", async () => {
    const { page, dialog, requested } = await open(HOLD);
    await dialog.findByText(/^Effect now, planned/);
    await page.user.type(dialog.getByLabelText(/^Reason/), " disk check ");
    await page.user.click(dialog.getByRole("button", { name: "Hold node" }));
    expect(requested()).toMatchObject([{ kind: "hold", why: "disk check", planHash: "h-1" }]);
  });

  it("says beforehand that another user has to approve it, and closes once it waits", async () => {
    const waits = () => intent({ kind: "release", state: "awaiting-approval" });
    const policy = { "approvals.policy": () => ({ required: true, admins: 2 }) };
    const choice = nodeAction(NODE, "release");
    const { page, dialog } = await open(choice, { ...leader(waits), ...policy });
    expect(await dialog.findByText(/another user has to approve it .* at most 1 h/)).toBeDefined();
    await page.user.type(dialog.getByLabelText(/^Reason/), "the disk is fine");
    await page.user.click(dialog.getByRole("button", { name: "Release node" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  it("does not mention approval for actions that stop writes, or if none is required", async () => {
    const of = (required: boolean) => ({
      ...leader(),
      "approvals.policy": () => ({ required, admins: 2 }),
    });
    const held = await open(HOLD, of(true));
    await held.dialog.findByText(/^Effect now, planned/);
    expect(held.page.sent("approvals.policy")).toEqual([]);
    act(closeDialog);
    held.page.unmount();
    const released = await open(nodeAction(NODE, "release"), of(false));
    await released.dialog.findByText(/^Effect now, planned/);
    await expect.poll(() => released.page.sent("approvals.policy")).toHaveLength(1);
    expect(released.dialog.queryByText(/another user/)).toBeNull();
  });

  it("requests nothing without a reason, and focuses the reason's field", async () => {
    const { page, dialog, requested } = await open(HOLD);
    await dialog.findByText(/^Effect now, planned/);
    await page.user.click(dialog.getByRole("button", { name: "Hold node" }));
    expect(requested()).toEqual([]);
    const field = dialog.getByLabelText(/^Reason/);
    expect(document.activeElement).toBe(field);
    expect(field.getAttribute("aria-invalid")).toBe("true");
    expect(dialog.getByText("Enter a reason: it is kept in the audit record.")).toBeDefined();
  });

  it("requests a new plan when another end is chosen", async () => {
    const { page, dialog } = await open(HOLD);
    await page.user.selectOptions(dialog.getByLabelText("Ends after"), String(15 * 60_000));
    await expect.poll(() => page.sent("intents.request").length).toBe(2);
    const [first, second] = page.sent("intents.request") as { action: { until: number } }[];
    expect(second?.action.until).toBeLessThan(first?.action.until ?? 0);
  });

  it("says what the leader would refuse, and cannot be confirmed", async () => {
    const refused = { state: "rejected", result: "It is held by ben already." } as const;
    const { page, dialog, requested } = await open(HOLD, leader(undefined, refused));
    expect(await dialog.findByText(/It is held by ben already\./)).toBeDefined();
    const button = dialog.getByRole("button", { name: "Hold node" });
    expect(button.getAttribute("aria-description")).toBe("The leader would refuse it.");
    await page.user.type(dialog.getByLabelText(/^Reason/), "disk check");
    await page.user.click(button);
    expect(requested()).toEqual([]);
  });

  it("says why there is no plan, and requests one again on demand", async () => {
    const answers = { "intents.request": refusal("SERVICE_UNAVAILABLE", "The ledger is down.") };
    const { page, dialog } = await open(HOLD, answers);
    expect(await dialog.findByText("There is no plan: The ledger is down.")).toBeDefined();
    await page.user.click(dialog.getByRole("button", { name: "Ask again" }));
    await expect.poll(() => page.sent("intents.request").length).toBe(2);
  });

  it("stays open and says why when the request is refused, and keeps the typed reason", async () => {
    const { page, dialog } = await open(
      HOLD,
      leader(refusal("FORBIDDEN", "Your role was changed to viewer.")),
    );
    await dialog.findByText(/^Effect now, planned/);
    await page.user.type(dialog.getByLabelText(/^Reason/), "disk check");
    await page.user.click(dialog.getByRole("button", { name: "Hold node" }));
    const alert = await dialog.findByRole("alert");
    expect(alert.textContent).toContain("Your role was changed to viewer.");
    expect(dialog.getByLabelText(/^Reason/)).toHaveProperty("value", "disk check");
  });

  it("repeats a request under the same id, so that a lost answer causes no second action", async () => {
    const { page, dialog, requested } = await open(HOLD, leader(refusal("TIMEOUT", "No answer.")));
    await dialog.findByText(/^Effect now, planned/);
    await page.user.type(dialog.getByLabelText(/^Reason/), "disk check");
    for (const _ of [1, 2]) {
      await page.user.click(dialog.getByRole("button", { name: "Hold node" }));
      await dialog.findByRole("alert");
    }
    const ids = (requested() as Request[]).map(({ id }) => id);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
  });

  it("closes once the leader has done it", async () => {
    const { page, dialog } = await open(
      HOLD,
      leader(() => intent({ state: "verified", planHash: "h-1" })),
    );
    await dialog.findByText(/^Effect now, planned/);
    await page.user.type(dialog.getByLabelText(/^Reason/), "disk check{Enter}");
    await expect.poll(() => screen.queryByRole("dialog")).toBeNull();
  });

  it("shows the differences when the plan has changed, and confirms the new plan", async () => {
    const moved = shownPlan({ planHash: "h-2" });
    const rejected = intent({
      state: "rejected",
      planHash: "h-1",
      preview: moved,
      result: "moved",
    });
    const { page, dialog, requested } = await open(
      HOLD,
      leader(() => rejected),
    );
    await dialog.findByText(/^Effect now, planned/);
    await page.user.type(dialog.getByLabelText(/^Reason/), "disk check");
    const confirm = () => page.user.click(dialog.getByRole("button", { name: "Hold node" }));
    await confirm();
    await expect.poll(() => dialog.queryByText(/^Effect now, planned/)).toBeNull();
    expect(requested()).toHaveLength(1);
    await confirm();
    expect(requested()).toMatchObject([{ planHash: "h-1" }, { planHash: "h-2" }]);
  });
});

describe("an irreversible action", () => {
  it("focuses Cancel, and no Enter confirms it", async () => {
    const { page, dialog, requested } = await open(OVERRIDE);
    await dialog.findByText(/^Effect now, planned/);
    await page.user.type(dialog.getByLabelText(/^Reason/), "no other way{Enter}");
    await page.user.type(dialog.getByLabelText(/the node's name/), "w-9{Enter}");
    dialog.getByRole("button", { name: "Override taint" }).focus();
    await page.user.keyboard("{Enter}");
    expect(requested()).toEqual([]);
    await page.user.keyboard(" ");
    expect(requested()).toMatchObject([{ kind: "override", confirmation: "w-9" }]);
  });

  it("is not requested if another name is typed", async () => {
    const { page, dialog, requested } = await open(OVERRIDE);
    await dialog.findByText(/^Effect now, planned/);
    await page.user.type(dialog.getByLabelText(/^Reason/), "no other way");
    await page.user.type(dialog.getByLabelText(/the node's name/), "w-8");
    await page.user.click(dialog.getByRole("button", { name: "Override taint" }));
    expect(requested()).toEqual([]);
    expect(dialog.getByText("Type exactly w-9.")).toBeDefined();
  });

  it("waits for its plan", async () => {
    const { page, dialog, requested } = await open(
      OVERRIDE,
      leader(undefined, { state: "claimed" }),
    );
    const button = dialog.getByRole("button", { name: "Override taint" });
    await page.user.click(button);
    expect(button.getAttribute("aria-description")).toBe("The plan is not known yet.");
    expect(requested()).toEqual([]);
  });
});

describe("one retry", () => {
  it("needs no plan, and has its reason filled in", async () => {
    const { page, dialog, requested } = await open(RETRY, leader(undefined, { state: "claimed" }));
    await page.user.click(dialog.getByRole("button", { name: "Retry node" }));
    expect(requested()).toMatchObject([{ kind: "retry", why: "Requested from the dashboard" }]);
  });

  it("only shows the plan as a dry run", async () => {
    const { page, dialog, requested } = await open({ ...RETRY, isDryRun: true });
    expect(await dialog.findByText(/^Effect now, planned/)).toBeDefined();
    expect(dialog.queryByLabelText(/^Reason/)).toBeNull();
    await page.user.click(dialog.getByText("Close"));
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(requested()).toEqual([]);
  });
});

describe("the button that opens it", () => {
  it("opens nothing for a role without permission, and says which role has it and whom to ask", async () => {
    const page = renderPage(
      <>
        <ActionButton choice={controllerAction("c-1", "cloud-node-controller", "pause")}>
          Pause…
        </ActionButton>
        <ActionDialogs />
      </>,
      { viewer: { ...ANA, role: "operator" }, answers: { "people.admins": () => ["Cleo"] } },
    );
    const button = screen.getByRole("button", { name: "Pause…" });
    await expect
      .poll(() => button.getAttribute("aria-description"))
      .toBe("Needs role admin. You are operator. Admins: Cleo.");
    await page.user.click(button);
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("opens nothing while an obstacle applies to everybody", async () => {
    const page = renderPage(
      <>
        <ActionButton choice={HOLD} obstacle="The control record cannot be written.">
          Hold…
        </ActionButton>
        <ActionDialogs />
      </>,
    );
    await page.user.click(screen.getByRole("button", { name: "Hold…" }));
    expect(screen.queryByRole("dialog")).toBeNull();
  });
});
