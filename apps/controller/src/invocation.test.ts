import { describe, expect, it } from "vitest";
import { invocationOf } from "./invocation.ts";

const FLAGS = ["--cloud-provider=sandbox", "--leader-elect=false"];
const OURS = { argv0: "node", program: "/app/bin/cloudwright.mjs" };
const LINKED = { argv0: "node", program: "/usr/local/bin/cloud-controller-manager" };
const RENAMED = { argv0: "/bin/cloud-controller-manager", program: "/app/bin/cloudwright.mjs" };

describe("the command that is meant", () => {
  it.each([
    ["a link", LINKED],
    ["argv[0]", RENAMED],
  ])("is the controller under upstream's name by %s, with flags alone", (_, started) => {
    expect(invocationOf({ ...started, args: FLAGS })).toEqual({
      kind: "command",
      args: ["controller", ...FLAGS],
    });
    expect(invocationOf({ ...started, args: [] })).toEqual({
      kind: "command",
      args: ["controller"],
    });
  });

  it.each([
    ["under upstream's name with a sub-command", LINKED, ["history", "--limit=1"]],
    ["under upstream's name with ours", RENAMED, ["controller", ...FLAGS]],
    ["under our name", OURS, ["controller", ...FLAGS]],
    ["under our name without a word", OURS, []],
    ["with commander's own flags", OURS, ["--version"]],
    ["with a flag that nobody has", OURS, ["--no-such-flag"]],
    ["with help", OURS, ["-h"]],
  ])("is what is written %s", (_, started, args) => {
    expect(invocationOf({ ...started, args })).toEqual({ kind: "command", args });
  });

  it.each([
    ["--cloud-provider=sandbox", "--cloud-provider"],
    ["--kube_api_qps=3", "--kube-api-qps"],
    ["--leader-elect", "--leader-elect"],
    ["-v4", "-v"],
  ])("is named as missing before %s", (word, flag) => {
    expect(invocationOf({ ...OURS, args: [word, "plan"] })).toEqual({
      kind: "refused",
      problem: `The sub-command is missing: ${flag} is a flag of the controller, so write cloudwright controller ${flag}… or start this program under the name cloud-controller-manager.`,
    });
  });
});
