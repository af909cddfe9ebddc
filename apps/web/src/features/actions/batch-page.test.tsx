// @vitest-environment happy-dom
import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { intent } from "../../platform/actions/testing/intents.ts";
import { renderPage } from "../../testing/render-page.tsx";
import { hasShape } from "../../testing/shapes.ts";
import { BatchPage } from "./batch-page.tsx";

const ROWS = [intent({ state: "verified" }), intent({ id: "i-2", state: "failed" })];

function show() {
  return renderPage(<BatchPage batch="b-1" />, {
    address: "/c/c-1/actions/batches/b-1",
    answers: { "intents.list": () => ({ rows: ROWS, total: { kind: "exact", count: 2 } }) },
  });
}

describe("the actions of a batch", () => {
  it("are requested by their batch, and each except the verified ones has its shape", async () => {
    const page = show();
    const rows = within(await screen.findByRole("table", { name: "Actions of this batch" }));
    expect(page.sent("intents.list")).toMatchObject([{ filter: { batch: "b-1" } }]);
    expect(hasShape(rows.getByText("Verified"))).toBe(false);
    expect(hasShape(rows.getByText("Failed"))).toBe(true);
  });
});
