// @vitest-environment happy-dom
import type { ClusterHealth, Coverage } from "@cloudwright/store/views/health";
import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { IsOldContext } from "../../components/freshness/freshness.ts";
import { healthWith } from "../../testing/health.ts";
import { renderPage } from "../../testing/render-page.tsx";
import { ProblemsPanel } from "./problems-panel.tsx";

const REPORTED = healthWith({ present: 5, reported: 5, uninitialised: 0 });

function show(health: ClusterHealth, isOld = false) {
  renderPage(
    <IsOldContext value={isOld}>
      <ProblemsPanel problems={[]} health={health} />
    </IsOldContext>,
  );
  return screen.getByRole("region", { name: "Needs you" }).textContent;
}

describe("if nothing needs a user", () => {
  it("a cluster in which everything has reported says so", () => {
    expect(show(REPORTED)).toMatch(/Nothing needs you\./);
  });

  it.each<Partial<Coverage>>([
    { present: 0, reported: 0, uninitialised: 0 },
    { present: 0, reported: 0 },
    { present: 97, reported: 0, uninitialised: 97 },
    { present: 97, reported: 96, uninitialised: 0 },
    { present: 97, reported: 97, uninitialised: 1 },
  ])("does not say so before all of its nodes have reported: %j", (coverage) => {
    expect(show(healthWith(coverage))).not.toMatch(/Nothing needs you/);
  });

  it("a cluster whose current state is unknown does not say so", () => {
    expect(show(REPORTED, true)).toMatch(/current state is unknown/);
    expect(screen.queryByText(/Nothing needs you/)).toBeNull();
  });
});
