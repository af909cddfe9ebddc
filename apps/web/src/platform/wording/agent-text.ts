import { t } from "@cloudwright/core/model/language/text";

const PROGRAMS: readonly (readonly [RegExp, string])[] = [
  [/Edg\//, "Edge"],
  [/OPR\//, "Opera"],
  [/Firefox\//, "Firefox"],
  [/(Chrome|Chromium)\//, "Chrome"],
  [/Safari\//, "Safari"],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/Android/, "Android"],
  [/iPhone|iPad/, "iOS"],
  [/Windows/, "Windows"],
  [/Mac OS X|Macintosh/, "macOS"],
  [/Linux|X11/, "Linux"],
];

/** `Chrome on Linux` out of what a browser calls itself; other programs by their own first word. */
export function agentText(agent: string): string {
  const of = (names: typeof PROGRAMS) => names.find(([pattern]) => pattern.test(agent))?.[1];
  const program = of(PROGRAMS) ?? agent.split(/[\s/]/)[0] ?? "";
  if (program === "") return t`unknown client`;
  const system = of(SYSTEMS);
  return system === undefined ? program : t`${program} on ${system}`;
}
