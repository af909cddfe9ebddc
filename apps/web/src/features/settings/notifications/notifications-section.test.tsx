// @vitest-environment happy-dom
import type { DeliveryView, WebhookView } from "@cloudwright/store/views/webhooks";
import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { ANA, type Answers, refusal, renderPage } from "../../../testing/render-page.tsx";
import { hasShape } from "../../../testing/shapes.ts";
import { NotificationsSection } from "./notifications-section.tsx";

function webhook(over: Partial<WebhookView> = {}): WebhookView {
  return {
    ...{ id: "w-1", name: "on call", cluster: undefined, mayChange: true, form: "slack" },
    ...{ origin: "https://hooks.example.org", rules: { stuck: { afterMinutes: 5 }, guard: {} } },
    ...{ pausedAt: undefined, createdBy: "Ana", createdAt: 0, previousUntil: undefined },
    ...{ newest: undefined, open: 0 },
    ...over,
  };
}

function delivery(over: Partial<DeliveryView> = {}): DeliveryView {
  return {
    ...{ id: "d-1", webhook: { id: "w-1", name: "on call" }, cluster: "c-1", clusterName: "prod" },
    ...{
      condition: "stuck",
      phase: "begins",
      count: 1,
      sentence: "Node w-1 is stuck.",
      path: "/c/c-1",
    },
    ...{ state: "delivered", problem: undefined, createdAt: Date.now(), nextAt: undefined },
    ...{ endedAt: Date.now(), attempts: [{ at: Date.now(), durationMs: 12, status: 200 }] },
    ...over,
  };
}

const CLUSTERS = [{ id: "c-1", name: "prod-eu" }];

function show(answers: Answers = {}, role: "viewer" | "admin" = "viewer") {
  return renderPage(<NotificationsSection />, {
    viewer: { ...ANA, role },
    answers: {
      "webhooks.list": () => [],
      "webhooks.deliveries": () => ({ rows: [], next: undefined }),
      "clusters.list": () => CLUSTERS,
      ...answers,
    },
  });
}

async function openAdd(page: ReturnType<typeof show>) {
  await page.user.click(await screen.findByRole("button", { name: "Add webhook…" }));
  return within(await screen.findByRole("dialog"));
}

const MINUTES = /^An object is stuck: for longer than this many minutes$/;

describe("what a delivery says", () => {
  it.each(["begins", "test"] as const)(
    "has code where the sentence has backticks: %s",
    async (phase) => {
      const rows = [
        delivery({ phase, sentence: "Node `w-1` is stuck: no instance has its name." }),
      ];
      show({ "webhooks.deliveries": () => ({ rows, next: undefined }) });
      expect((await screen.findByText("w-1")).tagName).toBe("CODE");
      expect(screen.queryByText(/`/)).toBeNull();
    },
  );

  it("keeps an unpaired backtick", async () => {
    const rows = [delivery({ sentence: "Node w-1 is stuck: no ` here." })];
    show({ "webhooks.deliveries": () => ({ rows, next: undefined }) });
    expect(await screen.findByText("Node w-1 is stuck: no ` here.")).toBeDefined();
  });
});

describe("a new webhook", () => {
  it("is created with what was chosen, and its secret is shown once", async () => {
    const page = show({ "webhooks.create": () => ({ id: "w-1", secret: "whsec_x" }) });
    const dialog = await openAdd(page);
    await page.user.type(dialog.getByLabelText("Name"), " on call ");
    await page.user.type(dialog.getByLabelText("URL"), "https://example.org/hook");
    await page.user.selectOptions(dialog.getByLabelText("Message format"), "slack");
    await page.user.clear(dialog.getByLabelText(MINUTES));
    await page.user.type(dialog.getByLabelText(MINUTES), "12");
    await page.user.click(dialog.getByLabelText("The audit chain is broken"));
    await page.user.click(dialog.getByRole("button", { name: "Add webhook" }));
    await expect
      .poll(() => page.sent("webhooks.create"))
      .toEqual([
        {
          ...{ name: "on call", form: "slack", url: "https://example.org/hook" },
          rules: {
            stuck: { afterMinutes: 12 },
            guard: {},
            approval: {},
            silent: { afterMinutes: 2 },
          },
        },
      ]);
    expect(await screen.findByLabelText("Secret of on call")).toHaveProperty("value", "whsec_x");
    await page.user.click(screen.getByRole("button", { name: "Done" }));
    await expect.poll(() => screen.queryByLabelText("Secret of on call")).toBeNull();
    await expect.poll(() => page.sent("webhooks.list").length).toBe(2);
  });

  it("belongs to a cluster if an admin chooses so", async () => {
    const page = show({ "webhooks.create": () => ({ id: "w-1", secret: "whsec_x" }) }, "admin");
    const dialog = await openAdd(page);
    await dialog.findByRole("option", { name: /^prod-eu/ });
    await page.user.selectOptions(dialog.getByLabelText("About"), "c-1");
    await page.user.type(dialog.getByLabelText("Name"), "shared");
    await page.user.type(dialog.getByLabelText("URL"), "https://example.org/");
    await page.user.click(dialog.getByRole("button", { name: "Add webhook" }));
    await expect.poll(() => page.sent("webhooks.create")).toMatchObject([{ cluster: "c-1" }]);
  });

  it("does not belong to a cluster for a user below admin, who is not asked for clusters", async () => {
    const page = show();
    const dialog = await openAdd(page);
    expect(dialog.queryByLabelText("About")).toBeNull();
    expect(page.sent("clusters.list")).toEqual([]);
  });

  it("without a condition is not sent, and says so", async () => {
    const page = show();
    const dialog = await openAdd(page);
    await page.user.type(dialog.getByLabelText("Name"), "x");
    await page.user.type(dialog.getByLabelText("URL"), "https://example.org/");
    for (const box of dialog.getAllByRole("checkbox", { checked: true })) {
      await page.user.click(box);
    }
    await page.user.click(dialog.getByRole("button", { name: "Add webhook" }));
    expect((await dialog.findByRole("alert")).textContent).toMatch(/^Choose at least one/);
    expect(page.sent("webhooks.create")).toEqual([]);
  });

  it("that is refused says why and keeps what was typed", async () => {
    const page = show({
      "webhooks.create": refusal("BAD_REQUEST", "Enter a URL that begins with https://."),
    });
    const dialog = await openAdd(page);
    await page.user.type(dialog.getByLabelText("Name"), "x");
    await page.user.type(dialog.getByLabelText("URL"), "ftp://example.org/");
    await page.user.click(dialog.getByRole("button", { name: "Add webhook" }));
    expect((await dialog.findByRole("alert")).textContent).toMatch(/^Enter a URL that begins/);
    expect(dialog.getByLabelText("URL")).toHaveProperty("value", "ftp://example.org/");
  });
});

describe("a webhook in the list", () => {
  it("is tested, and the status of the answer is shown", async () => {
    const tested = delivery({ phase: "test", condition: undefined });
    const page = show({ "webhooks.list": () => [webhook()], "webhooks.test": () => tested });
    await page.user.click(await screen.findByRole("button", { name: "Send a test to on call" }));
    expect(await screen.findByText(/The receiver answered 200 after 12 ms/)).toBeDefined();
    expect(page.sent("webhooks.test")).toEqual([{ id: "w-1" }]);
  });

  it("says why a test was not delivered", async () => {
    const tested = delivery({
      ...{ phase: "test", state: "failed", problem: "The receiver answered 403." },
    });
    const page = show({ "webhooks.list": () => [webhook()], "webhooks.test": () => tested });
    await page.user.click(await screen.findByRole("button", { name: "Send a test to on call" }));
    expect((await screen.findByRole("alert")).textContent).toMatch(/not delivered.*answered 403/);
  });

  it("is paused, and resumed if it is paused", async () => {
    const page = show({
      "webhooks.list": () => [webhook(), webhook({ id: "w-2", name: "off", pausedAt: 5 })],
      "webhooks.pause": () => undefined,
    });
    await page.user.click(await screen.findByRole("button", { name: "Change on call" }));
    await page.user.click(await screen.findByRole("menuitem", { name: "Pause" }));
    await expect.poll(() => page.sent("webhooks.pause")).toEqual([{ id: "w-1", paused: true }]);
    await page.user.click(screen.getByRole("button", { name: "Change off" }));
    await page.user.click(await screen.findByRole("menuitem", { name: "Resume" }));
    await expect.poll(() => page.sent("webhooks.pause")).toHaveLength(2);
  });

  it("is changed without entering its URL again", async () => {
    const page = show({ "webhooks.list": () => [webhook()], "webhooks.change": () => undefined });
    await page.user.click(await screen.findByRole("button", { name: "Change on call" }));
    await page.user.click(await screen.findByRole("menuitem", { name: "Change…" }));
    const dialog = within(await screen.findByRole("dialog"));
    expect(dialog.getByLabelText(MINUTES)).toHaveProperty("value", "5");
    await page.user.click(dialog.getByLabelText(/^The deletion guard/));
    await page.user.click(dialog.getByRole("button", { name: "Save" }));
    await expect
      .poll(() => page.sent("webhooks.change"))
      .toEqual([
        { id: "w-1", name: "on call", form: "slack", rules: { stuck: { afterMinutes: 5 } } },
      ]);
    await expect.poll(() => screen.queryByRole("dialog")).toBeNull();
  });

  it("is removed after the consequences were shown", async () => {
    const page = show({ "webhooks.list": () => [webhook()], "webhooks.remove": () => undefined });
    await page.user.click(await screen.findByRole("button", { name: "Change on call" }));
    await page.user.click(await screen.findByRole("menuitem", { name: "Remove…" }));
    const dialog = within(await screen.findByRole("dialog"));
    await page.user.type(dialog.getByLabelText(/^Reason/), "Not needed");
    await page.user.click(dialog.getByRole("button", { name: "Remove webhook" }));
    await expect
      .poll(() => page.sent("webhooks.remove"))
      .toEqual([{ id: "w-1", why: "Not needed" }]);
  });

  it("gets a new secret, which is shown once", async () => {
    const page = show({
      "webhooks.list": () => [webhook()],
      "webhooks.rotateSecret": () => ({ id: "w-1", secret: "whsec_new" }),
    });
    await page.user.click(await screen.findByRole("button", { name: "Change on call" }));
    await page.user.click(await screen.findByRole("menuitem", { name: "New secret…" }));
    await page.user.click(await screen.findByRole("button", { name: "Create a new secret" }));
    expect(await screen.findByLabelText("Secret of on call")).toHaveProperty("value", "whsec_new");
  });

  it("of a cluster has no buttons for users who may not change it", async () => {
    const shared = webhook({ cluster: { id: "c-1", name: "prod-eu" }, mayChange: false });
    show({ "webhooks.list": () => [shared] });
    expect((await screen.findAllByText("prod-eu")).length).toBeGreaterThan(0);
    expect(screen.queryByRole("button", { name: /on call/ })).toBeNull();
  });
});

describe("deliveries", () => {
  it("show what was sent, how often it was tried and why it failed", async () => {
    const attempts = [
      { at: 1, durationMs: 10, status: 503, problem: "The receiver answered 503." },
      { at: 2, durationMs: 10_000, problem: "No answer within 10 s." },
    ];
    const failed = delivery({
      ...{ id: "d-2", state: "givenUp", problem: "Given up after 2 attempts.", attempts },
    });
    show({ "webhooks.deliveries": () => ({ rows: [failed, delivery()], next: undefined }) });
    const list = within(await screen.findByRole("list", { name: "Deliveries" }));
    expect(list.getByText("Given up")).toBeDefined();
    expect(list.getByText("Given up after 2 attempts.")).toBeDefined();
    expect(list.getByText(/^2 attempts, no answer/)).toBeDefined();
    expect(list.getAllByRole("link", { name: "Node w-1 is stuck." })).toHaveLength(2);
  });

  it("have a shape only if they failed, and so have their webhooks", async () => {
    const failed = delivery({ id: "d-2", state: "failed" });
    show({
      "webhooks.list": () => [
        webhook({ newest: delivery() }),
        webhook({ id: "w-2", name: "pager", newest: failed }),
      ],
      "webhooks.deliveries": () => ({ rows: [failed, delivery()], next: undefined }),
    });
    for (const place of [
      await screen.findByRole("list", { name: "Deliveries" }),
      await screen.findByRole("table", { name: "Webhooks" }),
    ]) {
      expect(hasShape(within(place).getByText("Delivered"))).toBe(false);
      expect(hasShape(within(place).getByText("Failed"))).toBe(true);
    }
  });

  it("load more on demand, and are filtered by failed ones", async () => {
    const page = show({
      "webhooks.deliveries": (input) =>
        (input as { readonly cursor?: string }).cursor === undefined
          ? { rows: [delivery()], next: "d-1" }
          : { rows: [delivery({ id: "d-0", sentence: "An older one." })], next: undefined },
    });
    await page.user.click(await screen.findByRole("button", { name: "Show older ones" }));
    expect(await screen.findByText("An older one.")).toBeDefined();
    await page.user.click(screen.getByLabelText("Only those not delivered"));
    await expect
      .poll(() => page.sent("webhooks.deliveries").at(-1))
      .toMatchObject({ states: ["pending", "failed", "givenUp"] });
  });

  it("say so if there are none", async () => {
    show();
    expect(await screen.findByText("No message has been sent yet.")).toBeDefined();
    expect(screen.getByText("No webhooks yet")).toBeDefined();
  });
});
