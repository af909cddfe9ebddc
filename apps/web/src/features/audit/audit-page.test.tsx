// @vitest-environment happy-dom
import type { ChainVerification } from "@cloudwright/store/views/chains";
import type { AuditRow } from "@cloudwright/store/views/views";
import { screen, within } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { auditEntry, auditPage } from "../../testing/audit-entry.ts";
import { expectChoice } from "../../testing/choose-columns.ts";
import { type Answers, refusal, renderPage } from "../../testing/render-page.tsx";
import { hasShape } from "../../testing/shapes.ts";
import { AuditPage } from "./audit-page.tsx";

interface Input {
  readonly cluster: string;
  readonly filter: { readonly seq?: number; readonly [name: string]: unknown };
  readonly limit: number;
}

const HEAD = { seq: 1_200, hash: "c0ffee", at: Date.now() };
const CHAIN = {
  chain: "c-1",
  head: HEAD,
  since: Date.UTC(2026, 2, 1),
  checkpoint: undefined,
  verified: undefined,
};
const VERIFIED: ChainVerification = {
  ...{
    chain: "c-1",
    intact: true,
    entries: 1_200,
    head: HEAD,
    since: undefined,
    breakCount: 0,
    breaks: [],
  },
  ...{ proven: [], checkpoints: [], anchoredTo: 0, notAnchored: 1_200, verifiedAt: Date.now() },
  sentence: "All 1,200 entries are as they were written.",
};

function show(
  rows: readonly AuditRow[] = [auditEntry(2), auditEntry(1)],
  query = "",
  answers: Answers = {},
) {
  return renderPage(<AuditPage />, {
    address: `/c/c-1/audit${query}`,
    answers: {
      "audit.list": (input) => {
        const { limit, filter } = input as Input;
        const found =
          filter.seq === undefined
            ? limit === 1
              ? []
              : rows
            : rows.filter(({ seq }) => seq === filter.seq);
        return {
          rows: found,
          nextCursor: undefined,
          total: { kind: "exact", count: found.length },
        };
      },
      "audit.histogram": () => ({ from: 0, to: 60_000, counts: [1, 0] }),
      "audit.chain": (input) => ({ ...CHAIN, chain: (input as Input).cluster }),
      ...answers,
    },
  });
}

afterEach(() => vi.restoreAllMocks());

const lists = (page: ReturnType<typeof show>) =>
  (page.sent("audit.list") as readonly Input[]).filter(({ limit }) => limit > 1);
const table = () => screen.findByRole("table", { name: "Audit entries" });
const q = () => new URLSearchParams(window.location.search).get("q");

const newer = (page: ReturnType<typeof show>) =>
  (page.sent("audit.list") as readonly Input[]).filter(({ limit }) => limit === 1).at(-1)?.filter;

describe("the entries written since the list was opened", () => {
  it("count only from the start of a time range that has yet to come", async () => {
    const page = show([], "?from=2090-01-01T00:00:00Z&to=2090-01-02T00:00:00Z");
    await screen.findByText("No entry matches this filter");
    expect(newer(page)).toMatchObject({ from: Date.UTC(2090, 0, 1), to: Date.UTC(2090, 0, 2) });
  });

  it("are in the list when another range is chosen", async () => {
    const page = show();
    await table();
    const later = Date.now() + 600_000;
    vi.spyOn(Date, "now").mockReturnValue(later);
    await page.user.click(screen.getByRole("button", { name: "Last hour" }));
    await expect.poll(() => lists(page).at(-1)?.filter.to).toBeGreaterThan(later);
    expect(newer(page)?.from).toBeGreaterThan(later);
  });
});

describe("an empty list of audit entries", () => {
  it("shows an entry that is written meanwhile by itself, instead of saying that there is none", async () => {
    const written = auditEntry(3, { at: Date.now() + 5_000 });
    show([], "?from=-1h", {
      "audit.list": (input) => {
        const { limit, filter } = input as Input;
        return auditPage(limit === 1 || Number(filter.to) > written.at ? [written] : []);
      },
    });
    expect(within(await table()).getAllByRole("row")).toHaveLength(2);
  });
});

describe("the list of audit entries", () => {
  it("covers this cluster without previews, newest first", async () => {
    const page = show();
    const rows = within(await table())
      .getAllByRole("row")
      .slice(1);
    expect(rows).toHaveLength(2);
    expect(rows[0]?.textContent).toMatch(/Ana.*w-1.*disk check/);
    expect(lists(page)).toMatchObject([{ cluster: "c-1", filter: { withoutPreviews: true } }]);
    expect(screen.getByText("2 entries")).toBeDefined();
  });

  it("has a shape only for what was not done", async () => {
    show([auditEntry(2, { result: "refused" }), auditEntry(1)]);
    const rows = within(await table());
    expect(hasShape(rows.getByText("Refused"))).toBe(true);
    expect(hasShape(rows.getByText("Applied"))).toBe(false);
  });

  it("shows the chosen columns", async () => {
    const page = show();
    await table();
    await expectChoice(page, "Result");
  });

  it("shows previews on request, which is kept in the address", async () => {
    const page = show();
    await page.user.click(await screen.findByRole("button", { name: "Previews" }));
    expect(window.location.search).toBe("?previews=shown");
    await expect.poll(() => lists(page).at(-1)?.filter.withoutPreviews).toBeUndefined();
  });

  it("switches to the accounts by a button, to their chain and without the open entry", async () => {
    const page = show(undefined, "?peek=2");
    await screen.findByRole("complementary", { name: /Entry 2/ });
    await page.user.click(screen.getByRole("button", { name: "Accounts" }));
    expect(window.location.search).toBe("?chain=accounts");
    await expect.poll(() => lists(page).at(-1)?.cluster).toBe("accounts");
    expect(page.sent("audit.chain").at(-1)).toEqual({ cluster: "accounts" });
    expect(screen.queryByRole("complementary")).toBeNull();
    expect(screen.queryByRole("button", { name: "Previews" })).toBeNull();
  });

  it("takes terms from menu and box, and chips remove them", async () => {
    const page = show();
    await page.user.click(await screen.findByRole("button", { name: /^Result/ }));
    await page.user.click(await screen.findByRole("menuitemcheckbox", { name: /refused/i }));
    expect(q()).toBe("result:refused");
    await expect.poll(() => lists(page).at(-1)?.filter).toMatchObject({ result: "refused" });
    await page.user.click(screen.getByRole("button", { name: "Remove result:refused" }));
    expect(window.location.search).toBe("");
  });

  it("reads single parameters of an address as terms of the box", async () => {
    const page = show(undefined, "?actor=ana&object=Node/w-1");
    await table();
    const box = screen.getByRole<HTMLInputElement>("searchbox", { name: "Filter entries" });
    expect(box.value).toBe("actor:ana object:Node/w-1");
    expect(lists(page).at(-1)?.filter).toMatchObject({ object: { kind: "Node", name: "w-1" } });
  });

  it("says that none matches, and shows all again", async () => {
    const page = show([], "?q=actor:nobody&from=-24h");
    expect(await screen.findByText("No entry matches this filter")).toBeDefined();
    await page.user.click(screen.getByRole("button", { name: "Show all entries" }));
    expect(window.location.search).toBe("");
    expect(await screen.findByText("No entry has been written yet")).toBeDefined();
  });

  it("says why it could not be read, not that there is none", async () => {
    show([], "", { "audit.list": refusal("SERVICE_UNAVAILABLE", "The ledger is down.") });
    expect((await screen.findByRole("alert")).textContent).toContain("The ledger is down.");
    expect(screen.queryByText(/No entry/)).toBeNull();
  });
});

describe("the export", () => {
  const hrefs = async (page: ReturnType<typeof show>) => {
    await page.user.click(await screen.findByRole("button", { name: "Export" }));
    const items = await screen.findAllByRole("menuitem");
    return items.map((item) => new URL(item.getAttribute("href") ?? "", "http://self.invalid"));
  };

  it("has exactly what the filter selects, as CSV or JSON", async () => {
    const page = show(undefined, "?q=actor:ana+object:Node/w-1&from=-24h");
    const [csv, json] = await hrefs(page);
    expect(csv?.pathname).toBe("/api/export");
    const { filter, ...members } = Object.fromEntries(csv?.searchParams ?? []);
    expect(members).toEqual({ list: "audit", cluster: "c-1", format: "csv" });
    expect(JSON.parse(filter ?? "")).toEqual({
      ...{ actorName: "ana", object: { kind: "Node", name: "w-1" } },
      ...{ withoutPreviews: true, from: expect.any(Number) },
    });
    expect(json?.searchParams.get("format")).toBe("json");
  });

  it("of the accounts has the accounts' chain", async () => {
    const page = show(undefined, "?chain=accounts");
    const [csv] = await hrefs(page);
    expect(Object.fromEntries(csv?.searchParams ?? [])).toEqual({
      list: "audit",
      cluster: "accounts",
      format: "csv",
    });
  });
});

describe("the chain", () => {
  const status = () =>
    within(screen.getByRole("region", { name: "Chain" })).getByRole("status").textContent;

  it("shows its number of entries, and that it was never verified and has no checkpoint", async () => {
    show();
    await expect.poll(status).toMatch(/^1,200 entries since 1 Mar.*not verified here yet/);
    expect(status()).toMatch(/could rewrite the whole chain unnoticed/);
  });

  it("says who verified it last, and up to which entry against a checkpoint", async () => {
    const verified = {
      by: "Cleo",
      at: Date.now() - 14 * 60_000,
      intact: true,
      entries: 900,
      anchoredTo: 850,
    };
    const checkpoint = { ...HEAD, seq: 1_100, place: "the ConfigMap" };
    show(undefined, "", { "audit.chain": () => ({ ...CHAIN, verified, checkpoint }) });
    await expect
      .poll(status)
      .toMatch(/unbroken when Cleo had the first 900 entries verified 14 min ago, up to entry 850/);
    expect(status()).toMatch(/at entry 1100|at entry 1,100/);
  });

  it("is verified once however often the button is pressed, and shows the result", async () => {
    let answer: (found: ChainVerification) => void = () => undefined;
    const page = show(undefined, "", {
      "audit.verify": () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    });
    const button = await screen.findByRole("button", { name: "Verify now" });
    await page.user.dblClick(button);
    expect(page.sent("audit.verify")).toEqual([{ cluster: "c-1" }]);
    expect(screen.getByRole("button", { name: "Verifying…" })).toHaveProperty("disabled", true);
    answer(VERIFIED);
    await expect.poll(status).toContain(VERIFIED.sentence);
  });

  it("that is broken names each place, the checkpoints that do not match, and what to do", async () => {
    const breaks = [{ kind: "changed", from: 7, to: 7, sentence: "Entry 7 was changed." }] as const;
    const broken: ChainVerification = {
      ...{ ...VERIFIED, intact: false, breakCount: 12, breaks, sentence: "Broken." },
      checkpoints: [{ ...HEAD, seq: 9, place: "the ConfigMap", copy: "configMap", matches: false }],
    };
    const page = show(undefined, "", { "audit.verify": () => broken });
    await page.user.click(await screen.findByRole("button", { name: "Verify now" }));
    const alert = within(await screen.findByRole("alert"));
    expect(alert.getByRole("heading").textContent).toBe("The chain is broken in 12 places");
    expect(alert.getByText("Entry 7 was changed.")).toBeDefined();
    expect(alert.getByText("And 11 more.")).toBeDefined();
    expect(
      alert.getByText(/^The checkpoint of entry 9 \(the ConfigMap\) does not match/),
    ).toBeDefined();
  });

  it("does not show the other chain's verdict or failure", async () => {
    const page = show(undefined, "", { "audit.verify": refusal("TIMEOUT", "It took too long.") });
    await page.user.click(await screen.findByRole("button", { name: "Verify now" }));
    expect((await screen.findByRole("alert")).textContent).toContain("It took too long.");
    await page.user.click(screen.getByRole("button", { name: "Accounts" }));
    await expect.poll(() => screen.queryByRole("alert")).toBeNull();
  });

  it("whose length could not be read says so and why, and can still be verified", async () => {
    show(undefined, "", { "audit.chain": refusal("INTERNAL_SERVER_ERROR", "It failed.") });
    await expect.poll(status).toMatch(/^The extent of this record could not be read\. It failed\./);
    expect(screen.getByRole("button", { name: "Verify now" })).toHaveProperty("disabled", false);
  });
});

describe("an entry beside the list", () => {
  it("says who did it, how that is proven, from where, and the values before and after", async () => {
    const client = { address: "192.0.2.7", agent: "curl/8" };
    show([auditEntry(2, { client, intentId: "i-4" })], "?peek=2");
    const panel = within(await screen.findByRole("complementary", { name: /Entry 2/ }));
    expect(await panel.findByText("disk check")).toBeDefined();
    expect(panel.getByText(/^192\.0\.2\.7/)).toBeDefined();
    expect(panel.getByRole("link", { name: "What was requested" }).getAttribute("href")).toBe(
      "/c/c-1/actions/i-4",
    );
    expect(panel.getByRole("button", { name: "Copy the hash" })).toBeDefined();
    expect(panel.getAllByText("ana").length).toBeGreaterThan(0);
  });

  it("filters by its actor, and by its object", async () => {
    const page = show(undefined, "?peek=2");
    const panel = within(await screen.findByRole("complementary", { name: /Entry 2/ }));
    await page.user.click(await panel.findByRole("button", { name: "Only about w-1" }));
    expect(q()).toBe("object:Node/w-1");
    await page.user.click(panel.getByRole("button", { name: "Only by Ana" }));
    expect(q()).toBe("actor:Ana");
  });

  it("that does not exist may be missing: it is not said to be loading", async () => {
    show([auditEntry(1)], "?peek=99");
    expect(await screen.findByText("There is no entry 99")).toBeDefined();
  });

  it("that could not be read says so, not that it is missing", async () => {
    show([], "?peek=2", { "audit.list": refusal("SERVICE_UNAVAILABLE", "The ledger is down.") });
    const panel = within(await screen.findByRole("complementary", { name: /Entry 2/ }));
    expect((await panel.findByRole("alert")).textContent).toContain("The ledger is down.");
    expect(panel.queryByText("There is no entry 2")).toBeNull();
  });
});
