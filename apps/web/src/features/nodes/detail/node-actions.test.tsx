// @vitest-environment happy-dom
import type { Reason } from "@cloudwright/core/model/reason";
import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { intent } from "../../../platform/actions/testing/intents.ts";
import { controllerState, nodeRow } from "../../../testing/node-detail.ts";
import { renderPage } from "../../../testing/render-page.tsx";
import { facts, Stale } from "../../../testing/stale.tsx";
import {
  addressOf,
  answersOf,
  HELD,
  heading,
  inState,
  NOT_FOUND,
  show,
} from "../testing/node-page.tsx";
import { NodePage } from "./node-page.tsx";

describe("the actions on a node", () => {
  it("are retry, hold and dry run", async () => {
    show(inState("stuck", NOT_FOUND));
    await heading();
    for (const name of ["Retry now", "Hold…", "Dry run"])
      expect(screen.getByRole("button", { name }).getAttribute("aria-disabled"), name).toBeNull();
    expect(screen.queryByRole("button", { name: "Release…" })).toBeNull();
  });

  it("are only the dry run for a viewer; the others say which role they need", async () => {
    show(inState("stuck", NOT_FOUND), { role: "viewer" });
    await heading();
    const whyNot = (name: string) =>
      screen.getByRole("button", { name }).getAttribute("aria-description");
    await expect
      .poll(() => whyNot("Retry now"))
      .toBe("Needs role operator. You are viewer. Admins: Cleo.");
    expect(whyNot("Hold…")).toMatch(/^Needs role operator\./);
    expect(whyNot("Dry run")).toBeNull();
  });

  it("are unavailable while the server cannot be reached: a request would be lost", async () => {
    const server = { newest: "failed", answeredAt: Date.now() - 60_000 } as const;
    renderPage(
      <Stale of={facts({ server })}>
        <NodePage name="w-1" />
      </Stale>,
      { address: addressOf(undefined), answers: answersOf({}) },
    );
    await heading();
    expect(screen.getByRole("button", { name: "Retry now" }).getAttribute("aria-description")).toBe(
      "This page cannot reach the dashboard's server, so no action can be requested.",
    );
  });

  it("include releasing a held one, saying who holds it, for how long and what was wrong", async () => {
    const controllers = [
      controllerState({ state: "held", reason: HELD, underneath: { reason: NOT_FOUND } }),
    ];
    show({ ...inState("held", HELD), controllers });
    await heading();
    expect(screen.getByRole("button", { name: "Release…" })).toBeDefined();
    expect(screen.queryByRole("button", { name: "Hold…" })).toBeNull();
    expect(screen.getByText(/^Held by ben/)).toBeDefined();
    expect(screen.getByText(/^When the hold began:/)).toBeDefined();
    expect(screen.getByRole("button", { name: "Extend… the hold" })).toBeDefined();
  });

  it("follow the report of the controller that writes holds, which is newer than the list", async () => {
    show({
      row: nodeRow("w-1", { state: "ok", reason: { code: "InStep" } }),
      controllers: [controllerState({ state: "held", reason: HELD })],
    });
    await heading();
    expect(screen.getByRole("button", { name: "Release…" })).toBeDefined();
  });

  it("include adopting the route that waits for consent", async () => {
    const reason: Reason = {
      code: "RouteUnowned",
      ...{ provider: "sandbox", cidr: "10.0.1.0/24", id: "r-1", proofs: ["range"] },
    };
    const routes = controllerState({
      controller: "node-route-controller",
      state: "waiting",
      reason,
    });
    show({ controllers: [controllerState(), routes] });
    await heading();
    expect(screen.getByRole("button", { name: "Adopt…" })).toBeDefined();
  });

  it("name open actions that were already requested", async () => {
    const open = intent({ id: "i-3", actor: "Ben", requestedAt: Date.now() - 14 * 60_000 });
    show({ openIntents: [open] });
    await heading();
    const link = screen.getByRole("link", { name: "Hold node w-9" });
    expect(link.getAttribute("href")).toBe("/c/c-1/actions/i-3");
    expect(link.parentElement?.textContent).toMatch(/by Ben 14 min ago and is requested\.$/);
  });
});
