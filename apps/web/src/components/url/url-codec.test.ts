import { describe, expect, it } from "vitest";
import {
  choiceParam,
  flagParam,
  optionalChoiceParam,
  optionalTextParam,
  textParam,
  urlCodec,
} from "./url-codec.ts";

const codec = urlCodec<{
  readonly tab: "facts" | "runs";
  readonly text: string;
  readonly drift: "drifted" | "inStep" | undefined;
  readonly peek: string | undefined;
  readonly all: boolean;
}>({
  tab: choiceParam("tab", ["facts", "runs"], "facts"),
  text: textParam("q"),
  drift: optionalChoiceParam("drift", ["drifted", "inStep"]),
  peek: optionalTextParam("peek"),
  all: flagParam("all", "1"),
});
const parse = (search: string) => codec.parse(new URLSearchParams(search));
const PLAIN = { tab: "facts", text: "", drift: undefined, peek: undefined, all: false };

describe("the address of a view", () => {
  it("is plain for the default view", () => {
    expect(parse("")).toEqual({ view: PLAIN, dropped: [] });
    expect(codec.format(parse("?tab=facts&q=&peek=&all=0").view)).toBe("");
  });

  it.each([
    "?tab=runs",
    "?q=a%20b&drift=drifted",
    "?tab=runs&q=x&drift=inStep&peek=shop%2Fw&all=1",
  ])("%s survives a round trip", (search) => {
    expect(parse(search).dropped).toEqual([]);
    expect(codec.format(parse(search).view)).toBe(search);
  });

  it("drops and reports values and parameters that the view does not know", () => {
    expect(parse("?tab=map&drift=odd&size=9")).toEqual({
      view: PLAIN,
      dropped: ["map", "odd", "size"],
    });
  });
});
