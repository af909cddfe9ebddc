import { parseArgs } from "node:util";

export const SCENES = ["live", "routes", "large", "bare", "faults"] as const;
export type Scene = (typeof SCENES)[number];

export interface Look {
  readonly colorScheme: "light" | "dark";
  readonly isPhone: boolean;
}

export interface ShotOptions {
  readonly scenes: readonly Scene[];
  readonly looks: readonly Look[];
  /** Whether the picture of this name is wanted. */
  readonly isWanted: (name: string) => boolean;
}

const LOOKS: readonly Look[] = (["light", "dark"] as const).flatMap((colorScheme) => [
  { colorScheme, isPhone: false },
  { colorScheme, isPhone: true },
]);

/**
 * `[SCENE…] [--only PART,PART] [--look light|dark|desktop|phone]`: without scenes all of them, of each the pictures whose names
 * contain one of the parts. Throws an Error that names what it does not know.
 */
export function shotOptions(args: readonly string[]): ShotOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { only: { type: "string" }, look: { type: "string", multiple: true, default: [] } },
  });
  const unknown = positionals.filter((name) => !SCENES.some((scene) => scene === name));
  if (unknown.length > 0) {
    throw new Error(`${unknown.join(", ")} is no scene: there are ${SCENES.join(", ")}.`);
  }
  const parts = values.only?.split(",") ?? [];
  return {
    scenes: SCENES.filter((scene) => positionals.length === 0 || positionals.includes(scene)),
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
