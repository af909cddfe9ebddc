// @vitest-environment happy-dom
import type { ControlsStatus, SettingStatus } from "@cloudwright/core/model/controls";
import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { instance } from "../../testing/cluster-view.ts";
import { ANA, renderPage } from "../../testing/render-page.tsx";
import { RunningSettings } from "./running-settings.tsx";

const SETTINGS: readonly SettingStatus[] = [
  { setting: "ledger-retention-runs", flag: "30d" },
  {
    ...{ setting: "node-deletion-guard", flag: "5,10%,10m" },
    override: {
      ...{ value: "2,5%,10m", by: "Ben", why: "the cloud lies today", intentId: "i-7" },
      at: Date.now() - 14 * 60_000,
    },
  },
  { setting: "colour-of-a-newer-release", flag: "blue" },
];

function show(
  controls: ControlsStatus | undefined = { pauses: [], settings: SETTINGS },
  { role = "admin", dryRun = false }: { role?: "viewer" | "admin"; dryRun?: boolean } = {},
) {
  const leader = { ...instance({ dryRun }), controls };
  return renderPage(<RunningSettings cluster="c-1" leader={leader} />, {
    viewer: { ...ANA, role },
    answers: { "people.admins": () => ["Cleo"] },
  });
}

const rowOf = (name: string) => within(screen.getByRole("row", { name: new RegExp(`--${name} `) }));

describe("the settings of a cluster", () => {
  it("show the current value, and that it is the flag's", () => {
    show();
    const row = rowOf("ledger-retention-runs");
    expect(row.getByRole("rowheader").textContent).toContain(
      "How long the ledger keeps runs; they are removed by whole days.",
    );
    expect(row.getByText("30d")).toBeDefined();
    expect(row.getByText("the flag")).toBeDefined();
    expect(row.getByRole("button").textContent).toBe("Change… Runs");
  });

  it("show who has set a value, when and why, and the flag's value", () => {
    show();
    const row = rowOf("node-deletion-guard");
    expect(row.getByText("2,5%,10m")).toBeDefined();
    const cells = row.getAllByRole("cell").map(({ textContent }) => textContent);
    expect(cells[1]).toMatch(/^Ben, 14.min ago“the cloud lies today”The flag says 5,10%,10m\.$/);
    expect(cells[2]).toContain("Back to the flag…");
    const link = row.getByRole("link", { name: "Ben" });
    expect(link.getAttribute("href")).toBe("/c/c-1/actions/i-7");
  });

  it("are exported as a file for this cluster", async () => {
    const page = show();
    await page.user.click(screen.getByRole("button", { name: "Export Settings" }));
    const item = await screen.findByRole("menuitem", { name: "As CSV" });
    expect(item.getAttribute("href")).toBe("/api/export?list=settings&cluster=c-1&format=csv");
  });

  it("are grouped by topic, without those of a newer release", () => {
    show();
    const groups = screen.getAllByRole("rowheader", { name: /^(Deletion guard|Retention)$/ });
    expect(groups.map(({ textContent }) => textContent)).toEqual(["Deletion guard", "Retention"]);
    expect(screen.queryByText(/colour/)).toBeNull();
  });

  it("can be changed only by admins; everybody else learns whom to ask", async () => {
    show(undefined, { role: "viewer" });
    const button = rowOf("ledger-retention-runs").getByRole("button");
    await expect
      .poll(() => button.getAttribute("aria-description"))
      .toBe("Needs role admin. You are viewer. Admins: Cleo.");
  });

  it.each<[string, Parameters<typeof show>, RegExp]>([
    ["in a dry run", [undefined, { dryRun: true }], /in dry run/],
    [
      "while the leader can keep nothing",
      [{ pauses: [], settings: SETTINGS, unavailable: "It may not write its ConfigMap." }],
      /may not write/,
    ],
  ])("cannot be changed %s, which the page says", (_case, given, says) => {
    show(...given);
    expect(screen.getByText(says)).toBeDefined();
    const button = rowOf("ledger-retention-runs").getByRole("button");
    expect(button.getAttribute("aria-description")).toMatch(says);
  });

  it("are only flags if the leader is of an earlier release, which is said", () => {
    show({ pauses: [] });
    expect(screen.getByText(/^The leader runs release 1\.2\.3, whose settings/)).toBeDefined();
    expect(screen.queryByRole("table")).toBeNull();
  });
});
