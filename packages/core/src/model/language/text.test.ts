import { afterEach, describe, expect, it } from "vitest";
import { messageKey } from "./message-key.ts";
import { type Catalog, currentLanguage, englishOf, speak, t, textParts, worded } from "./text.ts";

afterEach(() => speak({ language: "en", catalogOf: () => undefined }));

function speakIn(language: "fr" | "ja" | "zh", catalog: Catalog): void {
  speak({ language, catalogOf: (asked) => (asked === language ? catalog : undefined) });
}

/** Returns a catalog's placeholder for a value. */
function slot(index: number): string {
  return ["$", "{", index, "}"].join("");
}

const TRICKY = `$& ${slot(1)}`;

describe("in English", () => {
  it("a text is the text in the code, in one line", () => {
    expect(currentLanguage()).toBe("en");
    expect(t`${2} of ${"w-1"}'s nodes
      are in sync.`).toBe("2 of w-1's nodes are in sync.");
  });

  it("a value that looks like a placeholder stays as it is", () => {
    expect(t`${TRICKY} and ${"b"}`).toBe(`${TRICKY} and b`);
  });
});

describe("in another language", () => {
  it("a text is its translation, with its values where the translation has them", () => {
    speakIn("fr", {
      [`${slot(0)} of ${slot(1)} nodes`]: `${slot(1)} nœuds, dont ${slot(0)}`,
      "It stands in two lines.": "Deux lignes.",
    });
    expect(t`${1} of ${3} nodes`).toBe("3 nœuds, dont 1");
    expect(t`It stands
      in two lines.`).toBe("Deux lignes.");
    expect(t`nobody translated ${1}`).toBe("nobody translated 1");
    expect(textParts`${["a"]} of ${["b"]} nodes`).toEqual(["", ["b"], " nœuds, dont ", ["a"], ""]);
  });

  it("a value that looks like a placeholder stays as it is", () => {
    speakIn("ja", { [`${slot(0)} and ${slot(1)}`]: `${slot(0)}と${slot(1)}` });
    expect(t`${TRICKY} and ${"b"}`).toBe(`${TRICKY}とb`);
  });

  it("there is no space between Chinese or Japanese characters, but one beside names and numbers", () => {
    speakIn("zh", {
      [`Hold ${slot(0)}`]: `冻结 ${slot(0)}`,
      [`${slot(0)} of ${slot(1)} is held`]: `${slot(1)} 的 ${slot(0)} 已冻结`,
    });
    expect(t`Hold ${"节点 w-1"}`).toBe("冻结节点 w-1");
    expect(t`Hold ${"w-1"}`).toBe("冻结 w-1");
    expect(t`${2} of ${"节点"} is held`).toBe("节点的 2 已冻结");
    expect(textParts`Hold ${["节点"]}`).toEqual(["冻结 ", ["节点"]]);
  });

  it("a catalog may name messages by the keys of their texts", () => {
    const text = `${slot(0)} of ${slot(1)} nodes in one line`;
    const catalog = { [messageKey(text, 3)]: `${slot(1)} nœuds, dont ${slot(0)}` };
    const both = () => [
      t`${1} of ${3} nodes
      in one line`,
      t`nobody translated ${1}`,
    ];
    speak({ language: "fr", seed: 3, catalogOf: () => catalog });
    expect(both()).toEqual(["3 nœuds, dont 1", "nobody translated 1"]);
    speak({ language: "fr", seed: 4, catalogOf: () => catalog });
    expect(both()).toEqual(["1 of 3 nodes in one line", "nobody translated 1"]);
  });

  it("a table is worded when it is read, not when it is made", () => {
    const labels = worded({ held: () => t`held` });
    expect(labels.held).toBe("held");
    speakIn("zh", { held: "已冻结" });
    expect(labels.held).toBe("已冻结");
    expect(Object.entries(labels)).toEqual([["held", "已冻结"]]);
  });

  it("what is stored is in English, and what comes after it is not, even after an error", () => {
    speakIn("fr", { held: "retenu" });
    expect(englishOf(() => t`held`)).toBe("held");
    expect(() =>
      englishOf(() => {
        throw new Error(t`held`);
      }),
    ).toThrow("held");
    expect(t`held`).toBe("retenu");
  });
});
