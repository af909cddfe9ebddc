import { podRangesOf } from "@cloudwright/core/controllers/node-ipam/pod-ranges";
import { formatCidr } from "@cloudwright/core/model/values/cidr";
import { describe, expect, it } from "vitest";
import { checkFlags } from "./check-flags.ts";
import { parseFlags } from "./parse-flags.ts";

const GIVING = "--allocate-node-cidrs=true";
const V4 = "--cluster-cidr=10.244.0.0/16";
const V6 = "--cluster-cidr=fd00:120::/48";
const DUAL = "--cluster-cidr=10.244.0.0/16,fd00:120::/48";

function flagsOf(args: readonly string[]) {
  const parsed = parseFlags(["--cloud-provider=sandbox", ...args]);
  if (parsed.kind !== "run") throw new Error(`not parsed: ${JSON.stringify(parsed)}`);
  return parsed.values;
}

function problemsOf(...args: readonly string[]): readonly string[] {
  return checkFlags(flagsOf([GIVING, ...args]));
}

describe("the ranges and masks of pods (spec/40 §9)", () => {
  it.each<[string[], string[]]>([
    [[V4], ["10.244.0.0/16 by /24"]],
    [[V6], ["fd00:120::/48 by /64"]],
    [[DUAL], ["10.244.0.0/16 by /24", "fd00:120::/48 by /64"]],
    [
      ["--cluster-cidr=fd00:120::/48,10.244.0.0/16"],
      ["fd00:120::/48 by /64", "10.244.0.0/16 by /24"],
    ],
    [["--cluster-cidr=010.244.0.0/16"], ["10.244.0.0/16 by /24"]],
    [[V4, "--node-cidr-mask-size=26"], ["10.244.0.0/16 by /26"]],
    [[V4, "--node-cidr-mask-size-ipv4=26"], ["10.244.0.0/16 by /26"]],
    [[V6, "--node-cidr-mask-size=60"], ["fd00:120::/48 by /60"]],
    [[V6, "--node-cidr-mask-size-ipv6=60"], ["fd00:120::/48 by /60"]],
    [
      [DUAL, "--node-cidr-mask-size-ipv4=25", "--node-cidr-mask-size-ipv6=62"],
      ["10.244.0.0/16 by /25", "fd00:120::/48 by /62"],
    ],
    [["--cluster-cidr=10.244.0.0/24"], ["10.244.0.0/24 by /24"]],
    [["--cluster-cidr=10.0.0.0/8", "--node-cidr-mask-size=32"], ["10.0.0.0/8 by /32"]],
  ])("%j means %j", (args, ranges) => {
    expect(problemsOf(...args)).toEqual([]);
    const texts = podRangesOf(flagsOf(args)).ranges.map(
      ({ cidr, nodeMask }) => `${formatCidr(cidr)} by /${nodeMask}`,
    );
    expect(texts).toEqual(ranges);
  });

  it.each<[string[], RegExp]>([
    [[], /^--cluster-cidr is not set, but --allocate-node-cidrs needs it/],
    [[DUAL, "--node-cidr-mask-size=24"], /^--node-cidr-mask-size is 24, and .* two ranges: give /],
    [[V4, "--node-cidr-mask-size-ipv6=64"], /^--node-cidr-mask-size-ipv6 is 64, and .* IPv4 range/],
    [[V6, "--node-cidr-mask-size-ipv4=24"], /^--node-cidr-mask-size-ipv4 is 24, and .* IPv6 range/],
    [
      [V4, "--node-cidr-mask-size=24", "--node-cidr-mask-size-ipv4=24"],
      /^--node-cidr-mask-size and --node-cidr-mask-size-ipv4 are both given/,
    ],
    [["--cluster-cidr=10.244.0.0/25"], /^--cluster-cidr has 10.244.0.0\/25, .* \/24: .* too small/],
    [[V4, "--node-cidr-mask-size=15"], /\/15: the range is too small/],
    [[V4, "--node-cidr-mask-size=64"], /\/64: an IPv4 mask has at most 32 bits\.$/],
    [
      ["--cluster-cidr=fd00::/47"],
      /\/64: there may be at most 16 bits between the two, give a \/48/,
    ],
    [[V4, "--cidr-allocator-type=CloudAllocator"], /^--cidr-allocator-type is CloudAllocator: /],
  ])("%j is refused in one sentence", (args, sentence) => {
    const problems = problemsOf(...args);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(sentence);
  });

  it("reports every problem at once", () => {
    const args = ["--cidr-allocator-type=CloudAllocator", "--node-cidr-mask-size=128"];
    expect(problemsOf(V6, "--node-cidr-mask-size-ipv4=24", ...args)).toHaveLength(3);
  });

  it.each([
    ["--allocate-node-cidrs=false"],
    ["--controllers=*,-node-ipam-controller"],
    ["--controllers=*,-nodeipam"],
    ["--controllers=cloud-node"],
  ])("says nothing where nobody gives pod ranges: %s", (off) => {
    expect(problemsOf("--cidr-allocator-type=CloudAllocator", off)).toEqual([]);
  });

  it("excludes the ranges of Services, and reports invalid ones", () => {
    const flags = flagsOf([V4, "--service-cluster-ip-range=10.96.0.0/12,services"]);
    expect(checkFlags(flags)).toEqual([]);
    const { serviceRanges, ignored } = podRangesOf(flags);
    expect([serviceRanges.map(formatCidr), ignored]).toEqual([["10.96.0.0/12"], ["services"]]);
  });
});
