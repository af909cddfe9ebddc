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

/** Derives `Chrome on Linux` from a browser's user agent; other programs appear as its first word. */
export function agentText(agent: string): string {
  const of = (names: typeof PROGRAMS) => names.find(([pattern]) => pattern.test(agent))?.[1];
  const program = of(PROGRAMS) ?? agent.split(/[\s/]/)[0] ?? "";
  if (program === "") return t`unknown client`;
  const system = of(SYSTEMS);
  return system === undefined ? program : t`${program} on ${system}`;
}
