import { describe, expect, it } from "vitest";
import { requestParts, withoutRequests } from "./request-parts.ts";

const ID = "7f3a9c10-0000-4000-8000-00000000000a";

function reported(sentence: string): readonly string[] {
  return requestParts(sentence).map((part) => (part.kind === "text" ? part.text : `<${part.id}>`));
}

describe("the parts of a sentence", () => {
  it.each([
    ["Nothing.", ["Nothing."]],
    ["", [""]],
    [
      `It failed (status 503, request ${ID}). Next try.`,
      ["It failed (status 503, request ", `<${ID}>`, "). Next try."],
    ],
    [`See request ${ID}.`, ["See request ", `<${ID}>`, "."]],
    [`request ${ID}`, ["request ", `<${ID}>`]],
    [
      `Request one: request req-${ID}, request tx0000/+9==; done`,
      ["Request one: request ", `<req-${ID}>`, ", request ", "<tx0000/+9==>", "; done"],
    ],
    ["each request mentioned by a person", ["each request mentioned by a person"]],
    ["request r-1 is too short", ["request r-1 is too short"]],
  ])("%s", (sentence, parts) => {
    expect(reported(sentence)).toEqual(parts);
    expect(
      requestParts(sentence)
        .map((part) => (part.kind === "text" ? part.text : part.id))
        .join(""),
    ).toBe(sentence);
  });
});

it.each([
  [`It failed (status 503, request ${ID}). Next try.`, "It failed (status 503). Next try."],
  [`It is gone (request ${ID}), and we look once more`, "It is gone, and we look once more"],
  ["Nothing to leave out", "Nothing to leave out"],
])("%s without its requests", (sentence, short) => {
  expect(withoutRequests(sentence)).toBe(short);
});
