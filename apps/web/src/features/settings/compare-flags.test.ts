import type { ProcessSettings } from "@cloudwright/store/views/controllers";
import { expect, it } from "vitest";
import { compareFlags } from "./flags-section.tsx";

type FlagSetting = ProcessSettings["flags"][number];

function flag(name: string, over: Partial<FlagSetting> = {}): FlagSetting {
  return {
    name,
    section: "Generic",
    value: "1",
    initial: "1",
    source: "default",
    isSecret: false,
    help: "",
    ...over,
  };
}

function process(identity: string, ...flags: readonly FlagSetting[]): ProcessSettings {
  return { identity, at: 0, leader: false, dryRun: false, flags };
}

const SET = { value: "2", source: "flag" } as const;

it("shows set flags before those at their default", () => {
  const { set, atDefault } = compareFlags([process("a", flag("x"), flag("y", SET), flag("z"))]);
  expect(set.map(({ flag: { name } }) => name)).toEqual(["y"]);
  expect(atDefault.map(({ flag: { name } }) => name)).toEqual(["x", "z"]);
});

it("names the processes that run with a different value", () => {
  const { set } = compareFlags([
    process("a", flag("x")),
    process("b", flag("x", SET)),
    process("c", flag("x")),
    process("d"),
  ]);
  expect(set).toMatchObject([{ others: [{ identity: "b", value: "2" }] }]);
});

it("does not compare a dry run with processes that act", () => {
  const dry = { ...process("b", flag("dry-run", SET)), dryRun: true };
  expect(compareFlags([process("a", flag("dry-run")), dry]).set).toEqual([]);
});

it("is empty if no process has reported", () => {
  expect(compareFlags([])).toEqual({ set: [], atDefault: [] });
});
