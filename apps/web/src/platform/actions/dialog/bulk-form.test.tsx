// @vitest-environment happy-dom
import type { Intent } from "@cloudwright/core/model/actions/intent";
import type { Change, Next } from "@cloudwright/core/model/plan";
import { act, screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type Answers, refusal, renderPage } from "../../../testing/render-page.tsx";
import { type ActionChoice, nodeAction, serviceAction } from "../action-choice.ts";
import { closeDialog, openDialog } from "../dialog-store.ts";
import { intent, shownPlan } from "../testing/intents.ts";
import { ActionDialogs } from "./action-dialogs.tsx";

const node = (name: string) =>
  nodeAction(
    { cluster: "c-1", controller: "cloud-node-controller", name, uid: `u-${name}` },
    "retry",
  );

interface Request {
  readonly id: string;
  readonly kind: string;
  readonly why: string;
  readonly object: { readonly name: string };
  readonly action?: unknown;
}

/** A leader that plans everything except targets in `refused`. */
const leader = (refused: readonly string[] = []): Answers => ({
  "intents.requestBatch": batchOf(plan(refused)),
});

/** Answers for each request of a batch as the server does; one that throws was refused. */
function batchOf(answer: (request: Request) => Intent) {
  return (input: unknown) =>
    (input as { readonly requests: readonly Request[] }).requests.map((request) => {
      try {
        return { kind: "requested", intent: answer(request) };
      } catch (error) {
        return { kind: "refused", code: "Conflict", why: String((error as Error).message) };
      }
    });
}

function plan(refused: readonly string[] = []) {
  return ({ id, kind, object }: Request): Intent => {
    if (kind !== "preview") return intent({ id, kind: "retry", action: { kind: "retry" } });
    const isRefused = refused.includes(object.name);
    const end = isRefused
      ? ({ state: "rejected", result: "Ben holds it." } as const)
      : ({ state: "verified", preview: shownPlan() } as const);
    return intent({ id, kind: "preview", action: { kind: "retry" }, ...end });
  };
}

async function open(targets: readonly ActionChoice[], answers: Answers) {
  const onDone = vi.fn();
  const page = renderPage(<ActionDialogs />, { answers });
  const choice = { kind: "bulk", cluster: "c-1", targets, onDone } as const;
  act(() => openDialog({ choice, opener: undefined }));
  const dialog = within(await screen.findByRole("dialog"));
  const requested = () =>
    (page.sent("intents.requestBatch") as { readonly requests: readonly Request[] }[])
      .flatMap(({ requests }) => requests)
      .filter(({ kind }) => kind !== "preview");
  /** Finds the button once it is enabled: it has another label while plans are pending. */
  const ready = (name: string) =>
    waitFor(() => {
      const button = dialog.getByRole("button", { name });
      expect(button.getAttribute("aria-disabled")).toBeNull();
      return button;
    });
  return { page, dialog, ready, requested, onDone };
}

afterEach(() => act(closeDialog));

describe("several actions at once", () => {
  it("have all their plans before anything can be requested", async () => {
    const unanswered = { "intents.requestBatch": () => new Promise<never>(() => undefined) };
    const { page, dialog, requested } = await open([node("w-1"), node("w-2")], unanswered);
    const button = dialog.getByRole("button", { name: "Retry 2 nodes" });
    await page.user.click(button);
    expect(button.getAttribute("aria-description")).toBe("Not all plans are known yet.");
    expect(page.sent("intents.requestBatch")).toHaveLength(1);
    expect(requested()).toEqual([]);
  });

  it("request those whose plans allow it, and say of the others why not", async () => {
    const { page, dialog, ready, requested } = await open(
      [node("w-1"), node("w-2")],
      leader(["w-2"]),
    );
    const button = await ready("Retry 1 node");
    expect(dialog.getByText("Left out: Ben holds it.")).toBeDefined();
    await page.user.click(button);
    await expect.poll(requested).toMatchObject([{ kind: "retry", object: { name: "w-1" } }]);
  });

  it("close once all have been claimed, and report so", async () => {
    const { page, ready, onDone } = await open([node("w-1"), node("w-2")], {
      "intents.requestBatch": batchOf(({ id, kind }) => {
        const end = kind === "preview" ? { preview: shownPlan() } : { runIds: ["r-1"] };
        return intent({ id, kind: "retry", action: { kind: "retry" }, state: "verified", ...end });
      }),
    });
    await page.user.click(await ready("Retry 2 nodes"));
    await expect.poll(() => screen.queryByRole("dialog")).toBeNull();
    expect(onDone).toHaveBeenCalledOnce();
  });

  it("are requested even if one is refused, and say why", async () => {
    const planned = plan();
    const { page, dialog, ready, requested } = await open([node("w-1"), node("w-2")], {
      "intents.requestBatch": batchOf((request) => {
        const { kind, object } = request;
        if (kind !== "preview" && object.name === "w-1") throw new Error("Not yours.");
        return planned(request);
      }),
    });
    await page.user.click(await ready("Retry 2 nodes"));
    expect(await dialog.findByText("Not yours.")).toBeDefined();
    expect(requested()).toHaveLength(2);
  });

  it.each<[string, Answers, number]>([
    [
      "read the user's role again after a refusal of all for it",
      { "intents.requestBatch": refusal("FORBIDDEN", "That needs the role operator.") },
      1,
    ],
    [
      "read it again after a refusal of one for it",
      {
        "intents.requestBatch": () => [
          { kind: "refused", code: "Forbidden", why: "That needs the role operator." },
        ],
      },
      1,
    ],
    [
      "leave it after another refusal",
      { "intents.requestBatch": refusal("CONFLICT", "That needs the role operator.") },
      0,
    ],
  ])("%s", async (_what, answers, times) => {
    const { page, dialog } = await open([node("w-1")], answers);
    await dialog.findByText(/That needs the role operator\./);
    expect(page.refreshes()).toBe(times);
  });

  it("request nothing without a reason", async () => {
    const { page, dialog, ready, requested } = await open([node("w-1")], leader());
    const button = await ready("Retry 1 node");
    await page.user.clear(dialog.getByLabelText(/^Reason/));
    await page.user.click(button);
    expect(requested()).toEqual([]);
    expect(document.activeElement).toBe(dialog.getByLabelText(/^Reason/));
  });

  it("say that none can be done if the leader would refuse all", async () => {
    const { page, dialog, requested } = await open([node("w-1")], leader(["w-1"]));
    await dialog.findByText("Left out: Ben holds it.");
    const button = dialog.getByRole("button", { name: "Retry 1 node" });
    expect(button.getAttribute("aria-description")).toBe("None of these nodes can be retried now.");
    await page.user.click(button);
    expect(requested()).toEqual([]);
  });
});

describe("several holds at once", () => {
  const hold = (name: string) =>
    nodeAction(
      { cluster: "c-1", controller: "cloud-node-controller", name, uid: `u-${name}` },
      "hold",
    );
  const held = (name: string): Change => ({
    kind: "node.hold",
    system: "cluster",
    target: { kind: "Node", name },
    before: null,
    after: null,
    reason: { code: "InStep" },
  });
  const answers: Answers = {
    "intents.requestBatch": batchOf(({ id, kind, object: { name }, action }) => {
      const part = { id, kind: kind === "preview" ? kind : "hold", action } as Partial<Intent>;
      if (kind !== "preview") return intent(part);
      if (name === "w-9")
        return intent({ ...part, state: "rejected", result: "It is held as requested." });
      const reason = {
        code: "HeldByAnnotation",
        by: "Ana",
        why: "Preview before a decision",
      } as const;
      const next: Next = { kind: "waiting", reason, forMs: 60_000 };
      const preview = shownPlan({ changes: [held(name)], next });
      return intent({ ...part, state: "verified", preview });
    }),
  };

  it("show equal plans as one line that expands to the names, and refusals separately", async () => {
    const { page, dialog } = await open(["w-1", "w-2", "w-3", "w-9"].map(hold), answers);
    const group = await dialog.findByText(
      /^1 change each: Hold the node\. While it is held, nothing/,
    );
    expect(group.textContent).toMatch(/The hold lifts by itself at .+\.$/);
    expect(dialog.queryByText(/Preview before a decision/), "not the user's reason").toBeNull();
    expect(dialog.getByText("3 of 4 nodes would change, 1 left out.")).toBeDefined();
    expect(dialog.getByText("Left out: It is held as requested.")).toBeDefined();
    await page.user.click(dialog.getByText("3 nodes"));
    for (const name of ["w-1", "w-2", "w-3"]) expect(dialog.getByText(name)).toBeDefined();
  });

  it("end at the chosen time, with one reason, bound to the plans that were shown", async () => {
    const { page, dialog, ready, requested } = await open(["w-1", "w-9"].map(hold), answers);
    await ready("Hold 1 node");
    await page.user.selectOptions(dialog.getByLabelText("Ends after"), String(4 * 3_600_000));
    await page.user.type(dialog.getByLabelText(/^Reason/), "INC-7");
    await page.user.click(await ready("Hold 1 node"));
    await expect.poll(requested).toHaveLength(1);
    const previews = page.sent("intents.requestBatch") as {
      readonly requests: readonly Request[];
    }[];
    expect(requested()).toMatchObject([
      { kind: "hold", why: "INC-7", planHash: "h-1", object: { name: "w-1" } },
    ]);
    // The confirmed end is the one that was planned last.
    expect(requested()[0]?.action).toEqual(previews.at(-2)?.requests[0]?.action);
  });
});

describe("several adoptions at once, which are irreversible", () => {
  const service = serviceAction(
    { cluster: "c-1", service: "shop/web", uid: "u-1" },
    "adopt",
    "lb-1",
  );
  const answers: Answers = {
    "intents.requestBatch": (input) =>
      (input as { readonly requests: readonly Request[] }).requests.map(({ id, kind }) => ({
        kind: "requested",
        intent: intent({
          id,
          ...{ kind: kind === "preview" ? ("preview" as const) : ("adopt" as const) },
          action: { kind: "adopt", balancer: "lb-1" },
          ...(kind === "preview" ? { state: "verified" as const, preview: shownPlan() } : {}),
        }),
      })),
  };

  it("go in one request, once their number has been typed, and Enter does not confirm them", async () => {
    const { page, dialog, ready } = await open([service], answers);
    const button = await ready("Adopt 1 cloud resource");
    await page.user.type(dialog.getByLabelText(/^Reason/), "ours");
    await page.user.click(button);
    expect(dialog.getByText("Type exactly 1.")).toBeDefined();
    await page.user.type(dialog.getByLabelText(/the number of cloud resources/), "1{Enter}");
    expect(page.sent("intents.requestBatch")).toHaveLength(1);
    await page.user.click(button);
    await expect.poll(() => page.sent("intents.requestBatch")).toHaveLength(2);
    expect(page.sent("intents.requestBatch")[1]).toMatchObject({
      cluster: "c-1",
      requests: [{ kind: "adopt", why: "ours", planHash: "h-1", confirmation: "lb-1" }],
    });
  });
});
