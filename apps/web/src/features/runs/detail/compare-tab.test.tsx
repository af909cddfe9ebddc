// @vitest-environment happy-dom
import type { RunDetail, RunRow } from "@cloudwright/store/views/views";
import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { type Answers, refusal, renderPage } from "../../../testing/render-page.tsx";
import { holdChange, runDetail, runEnd, runRow, runStep } from "../../../testing/run-detail.ts";
import { RunPage } from "./run-page.tsx";

const ID = "0190aaaa-0000-7000-8000-000000000001";
const OTHER = "0190aaaa-0000-7000-8000-000000000002";
const THIRD = "0190aaaa-0000-7000-8000-000000000003";

const ONE = runDetail({ previousId: OTHER, row: { id: ID } });
const SAME = runDetail({ row: { id: OTHER } });
const FAILED_ROW = runRow({ id: OTHER, outcome: "failed", reason: undefined, durationMs: 9_000 });
const FAILED = runDetail({
  ...{ row: FAILED_ROW, changes: [holdChange("w-1"), holdChange("w-2")] },
  end: runEnd(FAILED_ROW, [], { steps: [runStep({ error: "no answer", status: 500 })] }),
});

interface Shown {
  readonly one?: RunDetail;
  readonly other?: RunDetail;
  readonly offered?: readonly RunRow[];
  readonly query?: string;
  readonly answers?: Answers;
}

function show({ one = ONE, other = SAME, offered = [], query = "", answers = {} }: Shown = {}) {
  return renderPage(<RunPage id={ID} />, {
    address: `/c/c-1/runs/${ID}?view=compare${query}`,
    answers: {
      "runs.byId": (input) => ((input as { id: string }).id === ID ? one : other),
      "runs.list": () => ({
        ...{ rows: offered, nextCursor: undefined },
        total: { kind: "exact", count: offered.length },
      }),
      ...answers,
    },
  });
}

const verdict = () => screen.findByText(/do not differ|lines? differs?\.$/);
const lines = (table: string) =>
  within(screen.getByRole("table", { name: table }))
    .getAllByRole("row")
    .slice(1)
    .map((row) => [...row.children].map(({ textContent }) => textContent));

describe("two runs of one object", () => {
  it("are this one and the previous one, which is one press away", async () => {
    const page = show();
    await verdict();
    expect(page.sent("runs.byId")).toEqual([
      { cluster: "c-1", id: ID },
      { cluster: "c-1", id: OTHER },
    ]);
    expect(screen.getByRole("link", { name: "Open that run" }).getAttribute("href")).toBe(
      `/c/c-1/runs/${OTHER}`,
    );
  });

  it("are this one and the next, if there is no previous one", async () => {
    const page = show({ one: runDetail({ nextId: THIRD, row: { id: ID } }) });
    await verdict();
    expect(page.sent("runs.byId").at(-1)).toEqual({ cluster: "c-1", id: THIRD });
  });

  it("are said to have gone the same way only if nothing differs", async () => {
    show();
    expect((await verdict()).textContent).toBe("The two runs do not differ.");
    expect(screen.queryByRole("table")).toBeNull();
  });

  it("show what differs: how they ended, what was planned and what was called", async () => {
    show({ other: FAILED });
    expect((await verdict()).textContent).toMatch(/^[1-9]\d* of \d+ lines differ\.$/);
    expect(lines("Facts")).toContainEqual([expect.stringMatching(/Outcome$/), "Changed", "Failed"]);
    expect(lines("Plan")).toContainEqual([expect.stringMatching(/w-2/), "nothing", "not applied"]);
    expect(lines("Calls")).toEqual([
      [
        "differs: cloud GET /v1/instances",
        expect.stringMatching(/^1 call, 100.ms$/),
        expect.stringMatching(/^1 call, 1 failed, 100.ms$/),
      ],
    ]);
  });

  it("show all lines on demand, with those that differ marked for screen readers", async () => {
    const page = show({ other: FAILED });
    await verdict();
    const before = lines("Facts").length;
    await page.user.click(screen.getByRole("button", { name: "Show all lines" }));
    const facts = lines("Facts");
    expect(facts.length).toBeGreaterThan(before);
    expect(facts).toContainEqual(["Dry run", "no", "no"]);
    expect(window.location.search).toContain("all=1");
    await page.user.click(screen.getByRole("button", { name: "Only differences" }));
    expect(lines("Facts")).toHaveLength(before);
  });

  it("went the same way if one only took somewhat longer", async () => {
    show({ other: runDetail({ row: { id: OTHER, durationMs: 330 } }) });
    expect((await verdict()).textContent).toBe("The two runs do not differ.");
  });

  it("count changes with the same sentence: twice is not once", async () => {
    const changes = [holdChange("w-1"), holdChange("w-1")];
    const row = runRow({ id: OTHER, outcome: "failed", changes: 2 });
    show({ other: runDetail({ row, changes, end: runEnd(row, changes, { applied: 1 }) }) });
    await verdict();
    expect(lines("Plan")).toEqual([
      [expect.stringMatching(/w-1/), "applied", "1 applied, 1 not applied"],
    ]);
  });

  it("do not call changes of a run without an end not applied", async () => {
    show({ other: runDetail({ end: undefined, row: { id: OTHER, outcome: "interrupted" } }) });
    await verdict();
    expect(lines("Plan")[0]?.[2]).toBe("not known whether applied");
  });
});

describe("the run to compare with", () => {
  const offered = [
    runRow({ id: ID }),
    runRow({ id: OTHER, outcome: "unchanged" }),
    runRow({ id: THIRD, outcome: "failed" }),
  ];
  const choice = () => screen.findByLabelText<HTMLSelectElement>("Compare with");

  it("is any other of the same object and controller, but not itself", async () => {
    const page = show({ offered });
    await expect.poll(async () => (await choice()).options.length).toBe(2);
    expect([...(await choice()).options].map(({ value }) => value)).toEqual([OTHER, THIRD]);
    expect(page.sent("runs.list")).toMatchObject([
      { filter: { key: "w-1", kind: "Node", controller: "cloud-node-controller" } },
    ]);
  });

  it("is chosen, and kept in the address", async () => {
    const page = show({ offered });
    await expect.poll(async () => (await choice()).options.length).toBe(2);
    await page.user.selectOptions(await choice(), THIRD);
    expect(new URLSearchParams(window.location.search).get("with")).toBe(THIRD);
    await expect.poll(() => page.sent("runs.byId").at(-1)).toEqual({ cluster: "c-1", id: THIRD });
  });

  it("stays chosen when the list no longer offers it", async () => {
    show({ offered: [runRow({ id: OTHER })], query: `&with=${THIRD}` });
    await verdict();
    expect((await choice()).value).toBe(THIRD);
    expect((await choice()).selectedOptions[0]?.textContent).toBe(`Run ${THIRD.slice(-12)}`);
  });

  it("may have been removed, which is said, and another can be chosen", async () => {
    const answers = {
      "runs.byId": (input: unknown) =>
        (input as { id: string }).id === ID ? ONE : refusal("NOT_FOUND", "No such run.")(),
    };
    show({ offered, answers });
    expect(await screen.findByText("That run is no longer kept")).toBeDefined();
    expect(await choice()).toBeDefined();
  });

  it("that could not be read is not called removed, and is refetched on demand", async () => {
    const answers = {
      "runs.byId": (input: unknown) =>
        (input as { id: string }).id === ID
          ? ONE
          : refusal("INTERNAL_SERVER_ERROR", "It failed.")(),
    };
    const page = show({ offered, answers });
    expect((await screen.findByRole("alert")).textContent).toContain("It failed.");
    expect(screen.queryByText("That run is no longer kept")).toBeNull();
    const before = page.sent("runs.byId").length;
    await page.user.click(screen.getByRole("button", { name: "Try again" }));
    await expect.poll(() => page.sent("runs.byId").length).toBe(before + 1);
  });

  it("is absent if there is no other, which is said", async () => {
    const page = show({ one: runDetail({ row: { id: ID } }) });
    expect(await screen.findByText(/^There is no other run of this object/)).toBeDefined();
    expect(page.sent("runs.byId")).toHaveLength(1);
  });
});
