import { describe, expect, it } from "vitest";
import { auditTerm, parseAuditFilter, toggleAuditTerm, withoutAuditTerm } from "./audit-grammar.ts";

describe("the filter of audit entries", () => {
  it.each([
    ["", {}],
    ["actor:ana", { actorName: "ana" }],
    ['actor:"Ana Diaz" disk', { actorName: "Ana Diaz", text: "disk" }],
    ["action:node.hold", { action: "node.hold" }],
    ["action:node.*", { action: "node.*" }],
    ["action:node.retry", { action: "node.retry" }],
    ["request:7f3a9c10", { requestId: "7f3a9c10" }],
    ["object:w-9", { object: { name: "w-9" } }],
    ["object:Node/w-*", { object: { kind: "Node", name: "w-*" } }],
    ["object:shop/web", { object: { name: "shop/web" } }],
    ["result:refused", { result: "refused" }],
    ["run:01900000-0000-7000-8000-000000000001", { runId: "01900000-0000-7000-8000-000000000001" }],
    ["disk check INC-88", { text: "disk check INC-88" }],
    ["time:12:30", { text: "time:12:30" }],
  ])("%s selects %j", (text, selection) => {
    const parsed = parseAuditFilter(text);
    expect(parsed.selection).toEqual(selection);
    expect(parsed.terms.every(({ problem }) => problem === undefined)).toBe(true);
  });

  it.each([
    ["action:hold", /node\.hold/],
    ["action:fly", /there is no action fly/],
    ["result:good", /not one of applied, refused, failed/],
    ["run:7", /not an ID/],
    ["request:7f3a", /needs the first 8 characters/],
    ["actor:", /needs a value/],
  ])("%s filters nothing and says why", (text, why) => {
    const { selection, terms } = parseAuditFilter(text);
    expect(selection).toEqual({});
    expect(terms[0]?.problem).toMatch(why);
  });

  it("has one term per kind, which a second press removes", () => {
    const once = toggleAuditTerm("disk result:failed", "result", "refused");
    expect(once).toBe("disk result:refused");
    expect(toggleAuditTerm(once, "result", "refused")).toBe("disk");
  });

  it("quotes names with spaces, and removes such terms whole", () => {
    const term = auditTerm("actor", "Ana Diaz");
    expect(term).toBe('actor:"Ana Diaz"');
    expect(withoutAuditTerm(`disk ${term}`, term)).toBe("disk");
  });
});
