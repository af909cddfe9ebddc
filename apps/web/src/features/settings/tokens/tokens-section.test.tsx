// @vitest-environment happy-dom
import type { ApiTokenView } from "@cloudwright/store/views/api-tokens";
import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { ANA, type Answers, refusal, renderPage } from "../../../testing/render-page.tsx";
import { hasShape } from "../../../testing/shapes.ts";
import { TokensSection } from "./tokens-section.tsx";

const TOKEN = "cwt_0000000000000000000000000000000000000000000000000";

function token(name: string, over: Partial<ApiTokenView> = {}): ApiTokenView {
  return {
    ...{ id: `id-${name}`, kind: "personal", name, role: "viewer", clusters: "all" },
    owner: { id: ANA.id, name: ANA.name, email: ANA.email },
    ...{ createdAt: 0, createdBy: ANA.name, expiresAt: Date.now() + 86_400_000 },
    ...{ lastUsedAt: undefined, lastUsedAddress: undefined, state: "active" },
    ...over,
  };
}

const BEN = { id: "ben", name: "Ben", email: "ben@example.org" };
const SERVICE = token("backup", { kind: "service", owner: undefined });

function show(answers: Answers = {}, role: "viewer" | "admin" = "viewer") {
  return renderPage(<TokensSection />, {
    viewer: { ...ANA, role },
    answers: {
      "tokens.mine": () => [token("laptop"), token("old", { state: "expired" })],
      "tokens.list": () => [token("laptop"), SERVICE, token("theirs", { owner: BEN })],
      "clusters.list": () => [{ id: "c-1", name: "prod-eu" }],
      ...answers,
    },
  });
}

describe("the user's own tokens", () => {
  it("show whether they work and when they were last used", async () => {
    show({ "tokens.mine": () => [token("laptop", { lastUsedAt: Date.now() }), token("never")] });
    const table = await screen.findByRole("table", { name: "Your tokens" });
    expect(within(table).getByText("never", { selector: "span" })).toBeDefined();
    expect(within(table).getAllByText("Active")).toHaveLength(2);
    expect(screen.queryByText("Service tokens")).toBeNull();
  });

  it("have a shape only if they do not work", async () => {
    show();
    const table = within(await screen.findByRole("table", { name: "Your tokens" }));
    expect(hasShape(table.getByText("Active"))).toBe(false);
    expect(hasShape(table.getByText("Expired"))).toBe(true);
  });

  it("say so if there are none", async () => {
    show({ "tokens.mine": () => [] });
    expect(await screen.findByText("No tokens")).toBeDefined();
  });

  it("are created with a name, a role, clusters and an expiry, and shown once", async () => {
    const view = token("laptop");
    const page = show({ "tokens.create": () => ({ view, token: TOKEN }) });
    await page.user.click(await screen.findByRole("button", { name: "Create token…" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Create an API token" }));
    await page.user.type(await dialog.findByLabelText(/^Name/), "laptop");
    const roles = within(dialog.getByLabelText("Role")).getAllByRole("option");
    expect(roles.map(({ textContent }) => textContent)).toEqual(["viewer"]);
    await page.user.click(dialog.getByLabelText("Only these"));
    await page.user.click(dialog.getByLabelText("prod-eu"));
    await page.user.selectOptions(dialog.getByLabelText("Expires after"), "30 days");
    await page.user.click(dialog.getByRole("button", { name: "Create token" }));
    await expect
      .poll(() => page.sent("tokens.create"))
      .toEqual([{ kind: "personal", name: "laptop", role: "viewer", clusters: ["c-1"], days: 30 }]);
    expect(await dialog.findByLabelText("Token laptop")).toHaveProperty("value", TOKEN);
    await page.user.click(dialog.getByRole("button", { name: "Done" }));
    await expect.poll(() => screen.queryByDisplayValue(TOKEN)).toBeNull();
  });

  it("keep what was typed if the server refuses", async () => {
    const page = show({ "tokens.create": refusal("CONFLICT", "There is a token laptop already.") });
    await page.user.click(await screen.findByRole("button", { name: "Create token…" }));
    const dialog = within(await screen.findByRole("dialog"));
    await page.user.type(await dialog.findByLabelText(/^Name/), "laptop");
    await page.user.click(dialog.getByRole("button", { name: "Create token" }));
    expect((await dialog.findByRole("alert")).textContent).toContain("laptop already");
    expect(dialog.getByLabelText(/^Name/)).toHaveProperty("value", "laptop");
  });

  it("are revoked after a confirmation", async () => {
    const page = show({ "tokens.revoke": () => ({}) });
    await page.user.click(await screen.findByRole("button", { name: "Revoke laptop of Ana" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Revoke laptop" }));
    await page.user.type(dialog.getByLabelText(/^Reason/), "leaked");
    await page.user.click(dialog.getByRole("button", { name: "Revoke token" }));
    await expect
      .poll(() => page.sent("tokens.revoke"))
      .toEqual([{ id: "id-laptop", why: "leaked" }]);
    await expect.poll(() => page.sent("tokens.mine").length).toBe(2);
  });
});

describe("an admin", () => {
  it("sees those of services and of others, and creates those of services", async () => {
    const page = show({ "tokens.create": () => ({ view: SERVICE, token: TOKEN }) }, "admin");
    const services = await screen.findByRole("table", { name: "Service tokens" });
    expect(within(services).getByText("backup")).toBeDefined();
    const others = await screen.findByRole("table", { name: "Other users' tokens" });
    expect(within(others).getByText("Ben")).toBeDefined();
    expect(within(others).queryByText("laptop")).toBeNull();
    await page.user.click(screen.getByRole("button", { name: "Create service token…" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Create a service token" }));
    await page.user.type(await dialog.findByLabelText(/^Name/), "backup");
    await page.user.click(dialog.getByRole("button", { name: "Create token" }));
    await expect
      .poll(() => page.sent("tokens.create"))
      .toMatchObject([{ kind: "service", clusters: "all", days: 90 }]);
  });
});
