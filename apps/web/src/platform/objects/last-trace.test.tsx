// @vitest-environment happy-dom
import type { AuditRow } from "@cloudwright/store/views/views";
import { screen } from "@testing-library/react";
import type { ReactNode } from "react";
import { describe, expect, it } from "vitest";
import { auditEntry, auditPage } from "../../testing/audit-entry.ts";
import { refusal, renderPage } from "../../testing/render-page.tsx";
import { LastTrace, OldTrace } from "./last-trace.tsx";

const LIFECYCLE: AuditRow["actor"] = {
  kind: "controller",
  id: "ctl-1",
  name: "cloud-node-lifecycle-controller",
};
const DELETED = auditEntry(7, {
  ...{ action: "node.delete", actor: LIFECYCLE, runId: "r-870" },
  why: "sandbox said twice that i-9 does not exist (request 7f3a9c10)",
});
const ROUTE_DELETED = auditEntry(8, { action: "route.delete", actor: LIFECYCLE, runId: "r-871" });

const shown = (ui: ReactNode, rows: readonly AuditRow[]) =>
  renderPage(ui, {
    address: "/c/c-1/nodes/w-1",
    answers: { "audit.list": () => auditPage(rows) },
  });
const sentence = () => screen.findByText(/^Last recorded/);

describe("the last trace of a deleted object", () => {
  it("is its deletion, by whom and in which run, even if other things were cleaned up later", async () => {
    const page = shown(<LastTrace kind="Node" name="w-1" />, [ROUTE_DELETED, DELETED]);
    expect((await sentence()).textContent).toMatch(
      /^Last recorded: Delete node, by Node lifecycle, 14 min ago, in this run\.$/,
    );
    expect(screen.getByRole("link", { name: "this run" }).getAttribute("href")).toBe(
      "/c/c-1/runs/r-870",
    );
    expect(page.sent("audit.list")).toEqual([
      expect.objectContaining({
        filter: {
          object: { kind: "Node", name: "w-1" },
          ...{ result: "applied", withoutPreviews: true },
        },
      }),
    ]);
  });

  it("is the last thing done to it if none of our controllers deleted it", async () => {
    shown(<LastTrace kind="Node" name="w-1" />, [auditEntry(3)]);
    expect((await sentence()).textContent).toBe("Last recorded: Hold node, by Ana, 14 min ago.");
  });

  it("is absent if nothing is recorded about it or that cannot be read", async () => {
    const none = shown(<LastTrace kind="Node" name="w-1" />, []);
    await expect.poll(() => none.sent("audit.list")).toHaveLength(1);
    expect(none.container.querySelector("p")).toBeNull();
    none.unmount();
    const failed = renderPage(<LastTrace kind="Node" name="w-1" />, {
      answers: { "audit.list": refusal("SERVICE_UNAVAILABLE", "The ledger is down.") },
    });
    await expect.poll(() => failed.sent("audit.list")).toHaveLength(1);
    expect(failed.container.querySelector("p")).toBeNull();
  });
});

describe("the audit log's trace of an object that no list has", () => {
  it("is the same with its reason, and leaves the request to the run", async () => {
    shown(<OldTrace kind="Node" name="w-1" />, [DELETED]);
    await sentence();
    expect(screen.getByText("sandbox said twice that i-9 does not exist")).toBeDefined();
  });

  it("says so if there is no entry", async () => {
    shown(<OldTrace kind="Node" name="w-1" />, []);
    expect(await screen.findByText("The audit log has no entry about it either.")).toBeDefined();
  });
});
