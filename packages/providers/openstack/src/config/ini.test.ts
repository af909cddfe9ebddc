import { describe, expect, it } from "vitest";
import { parseIni } from "./ini.ts";

const parse = (text: string) => parseIni(text, "cloud.conf");
const read = (line: string) => parse(`[a]\n${line}`)[0]?.entries[0]?.value;

describe("sections and keys", () => {
  it("reads sections in order, with subsections, and keys in upper or lower case", () => {
    const text =
      '# first\n[Global]\nAuth-URL=http://x\n\n[LoadBalancerClass "in \\"side\\""] ; last\nflag\n';
    expect(parse(text)).toEqual([
      {
        ...{ name: "Global", subsection: undefined },
        entries: [{ key: "auth-url", value: "http://x", line: 3 }],
      },
      {
        ...{ name: "LoadBalancerClass", subsection: 'in "side"' },
        entries: [{ key: "flag", value: undefined, line: 6 }],
      },
    ]);
  });

  it.each([
    ["an option before any section", "a = b", 1],
    ["a section without its end", "[Global\n", 1],
    ["a quote without its pair", '[a]\nb = "c', 2],
    ["an escape that there is not", "[a]\nb = \\d", 2],
    ["a line that is no option", "[a]\nb = 1\n???", 3],
    ["text between key and value", "[a]\nb c = d", 2],
  ])("refuses %s, naming the line and not its text", (_, text, line) => {
    expect(() => parse(text)).toThrow(`Line ${line} of cloud.conf cannot be read`);
    expect(() => parse(text)).not.toThrow(/\?\?\?|"c/);
  });
});

describe("a value", () => {
  it.each([
    ["k = v", "v"],
    ["k=v", "v"],
    ["k = a b  ", "a b"],
    ["k = a # comment", "a"],
    ["k = a; comment", "a"],
    ['k = "a # b ; c "', "a # b ; c "],
    ['k = a" b "c', "a b c"],
    ['k = "a" ', "a"],
    ['k = "\\"a\\\\b\\n"', '"a\\b\n'],
    ["k = one \\\n  two", "one   two"],
    ["k =", ""],
    ["k", undefined],
    ["k # comment = x", undefined],
    ["k = http://host:5000/v3?a=b", "http://host:5000/v3?a=b"],
  ])("of %j is %j", (line, value) => {
    expect(read(line)).toBe(value);
  });

  it("keeps the number of its first line", () => {
    const [section] = parse("[a]\nb = 1 \\\n 2\nc = 3\r\n");
    expect(section?.entries.map(({ key, line }) => [key, line])).toEqual([
      ["b", 2],
      ["c", 4],
    ]);
  });
});
