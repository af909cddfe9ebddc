import { describe, expect, it } from "vitest";
import { ANNOTATION_PREFIX, type Annotations, readAnnotations } from "./annotations.ts";
import { tagsMatch } from "./floating-ips.ts";

function read(annotations: Readonly<Record<string, string>>): Annotations {
  return readAnnotations(
    Object.fromEntries(
      Object.entries(annotations).map(([key, value]) => [`${ANNOTATION_PREFIX}${key}`, value]),
    ),
  );
}

describe("an invalid annotation has the default value and a notice", () => {
  it.each<[string, (annotations: Annotations) => unknown, string, unknown]>([
    ["keep-floatingip", (from) => from.flag("keep-floatingip", false), "True", false],
    ["connection-limit", (from) => from.number("connection-limit", -1), "many", -1],
    ["connection-limit", (from) => from.number("connection-limit", -1), "-2", -1],
    ["connection-limit", (from) => from.number("connection-limit", -1), "1e3", -1],
    ["health-monitor-max-retries", (from) => from.number("health-monitor-max-retries", 3), "11", 3],
    ["proxy-protocol", (from) => from.proxyProtocol(), "v3", "none"],
    ["lb-method", (from) => from.method("ROUND_ROBIN"), "RANDOM", "ROUND_ROBIN"],
  ])("%s", (...[name, ask, value, otherwise]) => {
    const annotations = read({ [name]: value });
    expect(ask(annotations)).toBe(otherwise);
    expect(annotations.notices).toHaveLength(1);
    expect(annotations.notices[0]?.message).toContain(name);
  });
});

it.each<[string, (annotations: Annotations) => unknown, string, unknown]>([
  ["keep-floatingip", (from) => from.flag("keep-floatingip", false), "true", true],
  ["connection-limit", (from) => from.number("connection-limit", -1), "0", 0],
  ["proxy-protocol", (from) => from.proxyProtocol(), "true", "v1"],
  ["proxy-protocol", (from) => from.proxyProtocol(), "v2", "v2"],
  ["lb-method", (from) => from.method("ROUND_ROBIN"), "source_ip", "SOURCE_IP"],
  ["floating-network-id", (from) => from.text("floating-network-id"), "", ""],
])("the annotation %s is read without a word", (...[name, ask, value, wanted]) => {
  const annotations = read({ [name]: value });
  expect(ask(annotations)).toBe(wanted);
  expect(annotations.notices).toEqual([]);
});

it.each([
  ["a", true],
  ["a,c", true],
  ["&a,c", false],
  ["&a,b", true],
  ["!c", true],
  ["!a", false],
  ["!&a,b", false],
])("a subnet with the tags a and b by %s: %s", (wanted, matches) => {
  expect(tagsMatch(["a", "b"], wanted)).toBe(matches);
});
