import { describe, expect, it } from "vitest";
import { chunksOfPage, textsOf } from "./page-messages.ts";

const KNOWN = {
  texts: ["Nodes", "Routes", "Held", "Only when it is opened"],
  chunks: { shell: [2], nodes: [0, 2], routes: [1], dialog: [3], packages: [] },
  pages: {
    "/": ["packages", "shell"],
    "/_not-found": ["packages"],
    "/c/[cluster]/nodes": ["packages", "shell", "nodes"],
    "/c/[cluster]/nodes/[name]": ["packages", "shell"],
    "/c/[cluster]/objects/[kind]/[...name]": ["packages", "routes"],
  },
};

describe("the scripts of a page", () => {
  it.each([
    ["/", ["packages", "shell"]],
    ["/c/a.b/nodes", ["packages", "shell", "nodes"]],
    ["/c/a.b/nodes/w-1", ["packages", "shell"]],
    ["/c/a/objects/Volume/default/data", ["packages", "routes"]],
    ["/c/a/nodes/w-1/more", ["packages"]],
    ["/elsewhere", ["packages"]],
  ])("%s is found by its path", (path, chunks) => {
    expect(chunksOfPage(path, KNOWN)).toEqual(chunks);
  });

  it("are not known of a dashboard that was not built", () => {
    expect(chunksOfPage("/c/a/nodes")).toBeUndefined();
    expect(textsOf(["nodes"])).toBeUndefined();
  });
});

describe("the messages of scripts", () => {
  it("are each there once, and none of what is opened later", () => {
    expect(textsOf(["packages", "shell", "nodes"], KNOWN)).toEqual(["Nodes", "Held"]);
  });

  it.each([
    ["no script is named", undefined],
    ["one is of another build", ["shell", "older"]],
    ["one is named as what every object has", ["constructor"]],
  ])("are all that there are where %s", (_, chunks) => {
    expect(textsOf(chunks, KNOWN)).toEqual(KNOWN.texts);
  });
});
