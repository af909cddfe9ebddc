import { parseArgs } from "node:util";

const FIXTURES = ["live", "routes", "large", "bare", "faults"] as const;
export type Fixture = (typeof FIXTURES)[number];

export interface Look {
  readonly colorScheme: "light" | "dark";
  readonly isPhone: boolean;
}

export interface ShotOptions {
  readonly fixtures: readonly Fixture[];
  readonly looks: readonly Look[];
  /** Reports whether the screenshot with this name was requested. */
  readonly isWanted: (name: string) => boolean;
}

const LOOKS: readonly Look[] = (["light", "dark"] as const).flatMap((colorScheme) => [
  { colorScheme, isPhone: false },
  { colorScheme, isPhone: true },
]);

/**
 * Parses `[FIXTURE…] [--only PART,PART] [--look light|dark|desktop|phone]`. Without fixtures, all are taken; `--only` selects the
 * screenshots whose names contain one of the parts. Throws an Error that names an unknown fixture or look.
 */
export function shotOptions(args: readonly string[]): ShotOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { only: { type: "string" }, look: { type: "string", multiple: true, default: [] } },
  });
  const unknown = positionals.filter((name) => !FIXTURES.some((fixture) => fixture === name));
  if (unknown.length > 0) {
    throw new Error(`${unknown.join(", ")} is no fixture: there are ${FIXTURES.join(", ")}.`);
  }
  const parts = values.only?.split(",") ?? [];
  return {
    fixtures: FIXTURES.filter(
      (fixture) => positionals.length === 0 || positionals.includes(fixture),
    ),
    looks: LOOKS.filter((look) => values.look.every((word) => isLook(look, word))),
    isWanted: (name) => parts.length === 0 || parts.some((part) => name.includes(part)),
  };
}

function isLook({ colorScheme, isPhone }: Look, word: string): boolean {
  switch (word) {
    case "light":
    case "dark":
      return colorScheme === word;
    case "desktop":
      return !isPhone;
    case "phone":
      return isPhone;
    default:
      throw new Error(`--look is "${word}": it must be light, dark, desktop or phone.`);
  }
}
