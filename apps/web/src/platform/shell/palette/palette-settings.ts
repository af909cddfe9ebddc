"use client";
import { t } from "@cloudwright/core/model/language/text";
import { useMantineColorScheme } from "@mantine/core";
import {
  changePreferences,
  type Preferences,
  usePreferences,
} from "../../../components/preferences.ts";

/** A setting that a user changes for the pages; it takes effect at once. */
export interface SettingEntry {
  readonly label: string;
  /** Whether it already has this value. */
  readonly isSet: boolean;
  readonly set: () => void;
}

/** Returns everything that the palette can set, with the current values. */
export function useSettingEntries(): readonly SettingEntry[] {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const preferences = usePreferences();
  const themes = (
    [
      [t`Dark theme`, "dark"],
      [t`Light theme`, "light"],
      [t`Same theme as the system`, "auto"],
    ] as const
  ).map(([label, scheme]) => ({
    label,
    isSet: colorScheme === scheme,
    set: () => setColorScheme(scheme),
  }));
  return [
    ...themes,
    ...PREFERENCES.map(([word, part]) => preferenceEntry(word(), part, preferences)),
  ];
}

const PREFERENCES: readonly (readonly [() => string, Partial<Preferences>])[] = [
  [() => t`Times in UTC`, { zone: "UTC" }],
  [() => t`Local times`, { zone: "local", ownZone: "local" }],
  [() => t`Relative times`, { time: "relative" }],
  [() => t`Absolute times`, { time: "absolute" }],
  [() => t`Compact rows`, { density: "compact" }],
  [() => t`Normal rows`, { density: "normal" }],
  [() => t`Comfortable rows`, { density: "comfortable" }],
  [() => t`Single-key shortcuts on`, { shortcuts: true }],
  [() => t`Single-key shortcuts off`, { shortcuts: false }],
];

function preferenceEntry(
  label: string,
  part: Partial<Preferences>,
  now: Preferences,
): SettingEntry {
  const isSet = Object.entries(part).every(
    ([name, value]) => now[name as keyof Preferences] === value,
  );
  return { label, isSet, set: () => changePreferences(() => part) };
}

/** Returns the settings in which every word of the text begins a word; `isWhole` means that in one of them each is a full word. */
export function settingsFor(
  text: string,
  entries: readonly SettingEntry[],
): { readonly entries: readonly SettingEntry[]; readonly isWhole: boolean } {
  const words = text
    .trim()
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  if (words.join("").length < 2) return { entries: [], isWhole: false };
  const wordsOf = ({ label }: SettingEntry) => label.toLowerCase().split(/[\s-]+/);
  const found = entries.filter((entry) =>
    words.every((word) => wordsOf(entry).some((own) => own.startsWith(word))),
  );
  return {
    entries: found,
    isWhole: found.some((entry) => words.every((word) => wordsOf(entry).includes(word))),
  };
}
