// @vitest-environment happy-dom
import type { Step } from "@cloudwright/core/model/run";
import type { RunDetail } from "@cloudwright/store/views/views";
import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { useUrlState } from "../../../../components/url/use-url-state.ts";
import { auditEntry, auditPage } from "../../../../testing/audit-entry.ts";
import { type Answers, renderPage } from "../../../../testing/render-page.tsx";
import { runDetail, runEnd, runRow, runStep } from "../../../../testing/run-detail.ts";
import { speakIn } from "../../../../testing/speak-in.ts";
import { runUrl } from "../run-url.ts";
import { WaterfallTab } from "./waterfall-tab.tsx";

const LOOKUP = runStep({ operation: "GET /v1/instances", offsetMs: -20, sharedBy: 12 });
const REFUSED = runStep({
  ...{ phase: "apply", system: "kube", operation: "PATCH nodes", target: "w-1", offsetMs: 120 },
  ...{ durationMs: 60, limiterWaitMs: 40, status: 409, attempt: 2, requestId: "req-7" },
  ...{ error: "the object has been modified", body: { message: "try again" } },
});

function run(steps: readonly Step[] = [LOOKUP, REFUSED]): RunDetail {
  const row = runRow();
  return runDetail({ end: runEnd(row, [], { steps }) });
}

function Tab({ shown }: { readonly shown: RunDetail }) {
  const { view, push } = useUrlState(runUrl);
  return <WaterfallTab run={shown} view={view} onView={push} />;
}

const show = (shown = run(), query = "", answers: Answers = {}) =>
  renderPage(<Tab shown={shown} />, { address: `/c/c-1/runs/r-1${query}`, answers });
const details = () => screen.queryByRole("region", { name: /^Details of/ });
const bar = (name: RegExp) => screen.getByRole("button", { name });

describe("the bars of a run", () => {
  it("open their details below them by a press, and close them by another", async () => {
    const page = show();
    expect(details()).toBeNull();
    await page.user.click(bar(/PATCH nodes/));
    expect(window.location.search).toBe("?span=call-2");
    expect(bar(/PATCH nodes/).getAttribute("aria-expanded")).toBe("true");
    expect(details()?.textContent).toContain("the object has been modified");
    await page.user.click(bar(/PATCH nodes/));
    expect(window.location.search).toBe("");
    expect(details()).toBeNull();
  });

  it("show how long each took and its answer, and mark the critical path in words", () => {
    show();
    expect(bar(/PATCH nodes/).textContent).toMatch(/60.ms409$/);
    expect(within(bar(/PATCH nodes/)).getByText("on the critical path")).toBeDefined();
  });

  it("show a call without an answer as failed", () => {
    show(run([runStep({ status: undefined, error: "the connection was lost" })]));
    expect(bar(/GET .*instances/).textContent).toMatch(/failed$/);
  });

  it("open the details of the call whose request id, or its start, is in the address", async () => {
    for (const span of ["req-7", "req"]) {
      const page = show(run(), `?span=${span}`);
      expect(details()?.textContent, span).toContain("the object has been modified");
      expect(bar(/PATCH nodes/).getAttribute("aria-expanded")).toBe("true");
      await page.user.click(bar(/PATCH nodes/));
      expect(details(), span).toBeNull();
      page.unmount();
    }
  });

  it("open at a bar far down that the address names", () => {
    const calls = Array.from({ length: 2_000 }, (_, index) =>
      runStep({ operation: `GET /v1/instances/${index + 1}`, offsetMs: index * 10 }),
    );
    show(run(calls), "?span=call-1500");
    expect(bar(/instances\/1500\b/).getAttribute("aria-expanded")).toBe("true");
    expect(screen.queryByRole("button", { name: /instances\/1\b/ })).toBeNull();
  });

  it("open no details if the address names no known bar", () => {
    show(run(), "?span=call-9");
    expect(details()).toBeNull();
  });
});

describe("the details of a call", () => {
  const facts = (query: string) => {
    show(run(), query);
    return details()?.textContent ?? "";
  };

  it("name its target, answer, attempt, request and how long it waited for the limit", () => {
    const text = facts("?span=call-2");
    expect(text).toMatch(/Targetw-1/);
    expect(text).toMatch(/Status409/);
    expect(text).toMatch(/Attempt2/);
    expect(text).toMatch(/Waited for the limit40.ms/);
    expect(text).toMatch(/Requestreq-7/);
    expect(text).not.toMatch(/Shared/);
  });

  it("say how many others shared it, and omit wait and request if there were none", () => {
    const text = facts("?span=call-1");
    expect(text).toMatch(/Sharedone call for 12 lookups/);
    expect(text).not.toMatch(/Waited for the limit|Request/);
  });

  it("of a phase are only its time", () => {
    const text = facts("?span=plan");
    expect(text).toMatch(/Took1.ms/);
    expect(text).not.toMatch(/Target|Status|Attempt/);
  });
});

describe("the table of the bars", () => {
  const rows = () =>
    within(screen.getByRole("table"))
      .getAllByRole("row")
      .slice(1)
      .map((row) => ({
        what: within(row).getByRole("rowheader").textContent,
        cells: within(row)
          .getAllByRole("cell")
          .map(({ textContent }) => textContent?.replaceAll("\u00a0", " ")),
      }));

  it("is one press away, and is kept in the address", async () => {
    const page = show();
    await page.user.click(screen.getByRole("button", { name: "Show as table" }));
    expect(window.location.search).toBe("?as=table");
    expect(screen.queryByRole("button", { name: /PATCH nodes/ })).toBeNull();
    await page.user.click(screen.getByRole("button", { name: "Show bars" }));
    expect(window.location.search).toBe("");
    expect(screen.queryByRole("table")).toBeNull();
  });

  it("marks what a cloud answered as English on a page in another language", () => {
    speakIn("fr");
    show(run(), "?as=table");
    expect(screen.getByText("the object has been modified").getAttribute("lang")).toBe("en");
  });

  it("has the phases and calls in order, with system, start, time, answer and attempt", () => {
    show(run(), "?as=table");
    expect(rows().map(({ what }) => what)).toEqual([
      ...["queue", "observe", "GET /v1/instances", "plan", "apply", "PATCH nodes"],
    ]);
    const [, , lookup, , , refused] = rows();
    expect(lookup?.cells.slice(0, 6)).toEqual([
      "w-1",
      "cloud",
      "20 ms before",
      "100 ms",
      "200",
      "1",
    ]);
    expect(refused?.cells.slice(0, 6)).toEqual(["w-1", "kube", "+120 ms", "60 ms", "409", "2"]);
  });

  it("notes what failed, what was shared and what determined the duration", () => {
    show(run(), "?as=table");
    const [, , lookup, , , refused] = rows();
    expect(refused?.cells.at(-1)).toBe("the object has been modified; critical path");
    expect(lookup?.cells.at(-1)).toBe("critical path; shared by 12 lookups");
  });
});

describe("a run without an end", () => {
  it.each([
    [
      "the plan",
      [],
      /^Started 14.min ago by Node initialisation on ctl-1.*; last recorded step: its plan of 1 change\./,
    ],
    [
      "a change that was made",
      [{ action: "node.addresses", result: "applied", at: Date.now() - 300_000 }],
      /last recorded step: Write addresses, done 5.min ago\. Its calls are recorded when it ends/,
    ],
    [
      "one that failed",
      [{ action: "node.labels", result: "failed", at: Date.now() - 300_000 }],
      /last recorded step: Write labels, which failed 5.min ago\./,
    ],
  ])(
    "in progress shows since when and where it runs, and its last step: %s",
    async (_step, rows, text) => {
      const page = show(runDetail({ row: { outcome: "running" }, end: undefined }), "", {
        "audit.list": () => ({ rows }),
      });
      const title = await screen.findByText("This run is under way");
      await expect.poll(() => title.parentElement?.textContent?.slice(21)).toMatch(text);
      expect(page.sent("audit.list")).toMatchObject([{ filter: { runId: runRow().id } }]);
    },
  );

  it("lists what it has written so far, in order, if it is in progress", async () => {
    const startedAt = Date.now() - 20_000;
    const entries = [
      auditEntry(9, { action: "node.labels", result: "failed", at: startedAt + 4_200 }),
      auditEntry(8, { action: "node.addresses", at: startedAt + 840 }),
    ];
    show(runDetail({ row: { outcome: "running", startedAt }, end: undefined }), "", {
      "audit.list": () => auditPage(entries),
    });
    const made = await screen.findByRole("region", { name: "Changes so far" });
    expect(
      within(made)
        .getAllByRole("row")
        .slice(1)
        .map(({ textContent }) => textContent?.replace("\u00a0", " ")),
    ).toEqual(["Write addresses+840 msApplied", "Write labels+4.2 sFailed"]);
  });

  it("says that its calls are unknown, not that it is in progress, if it was interrupted", () => {
    show(runDetail({ row: { outcome: "interrupted" }, end: undefined }));
    expect(screen.getByText("This run has no recorded end")).toBeDefined();
    expect(screen.queryByText("This run is under way")).toBeNull();
  });
});
