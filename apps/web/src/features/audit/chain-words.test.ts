import { describe, expect, it } from "vitest";
import { speakIn } from "../../testing/speak-in.ts";
import { breakText, verificationText } from "./chain-words.ts";

const FOUND = {
  ...{ chain: "c", intact: true, entries: 1_200, head: undefined, since: undefined },
  ...{ breakCount: 0, breaks: [], proven: [], anchoredTo: 1_100, notAnchored: 100, verifiedAt: 0 },
  checkpoints: [
    { seq: 900, hash: "a", at: 0, place: "old.json", copy: "anchor", matches: true },
    { seq: 1_100, hash: "b", at: 0, place: "kube-system/cm", copy: "configMap", matches: true },
  ],
  sentence: "All 1,200 entries are as written, and so on.",
} as const;

describe("the result of a verification", () => {
  it("is in English exactly what the log has", () => {
    expect(verificationText(FOUND)).toBe(FOUND.sentence);
  });

  it("names the entries, the newest checkpoint and the newer entries in the reader's language", () => {
    speakIn("ja");
    const text = verificationText(FOUND);
    expect(text).toMatch(/1,200.*1,100.*kube-system\/cm.*100/);
    expect(text).not.toMatch(/entr|checkpoint/);
    expect(verificationText({ ...FOUND, checkpoints: [] })).not.toMatch(/kube-system|anchor/);
    expect(verificationText({ ...FOUND, entries: 0 })).not.toMatch(/[a-z]/);
  });

  it("names what is broken", () => {
    expect(breakText({ kind: "changed", from: 4, to: 4 })).toBe("Entry 4 was changed.");
    speakIn("ja");
    expect(verificationText({ ...FOUND, intact: false, breakCount: 2 })).not.toMatch(/[a-z]/);
    expect(breakText({ kind: "removed", from: 4, to: 6 })).toMatch(/4.*6/);
  });
});
