import { t, worded } from "@cloudwright/core/model/language/text";
export const SECTIONS = [
  "users",
  "sessions",
  "tokens",
  "notifications",
  "approval",
  "controllers",
  "flags",
  "appearance",
] as const;
export type Section = (typeof SECTIONS)[number];

export const SECTION_LABELS: Readonly<Record<Section, string>> = worded({
  users: () => t`Users and roles`,
  sessions: () => t`Sessions and password`,
  tokens: () => t`API tokens`,
  notifications: () => t`Notifications`,
  approval: () => t`Approval`,
  controllers: () => t`Controllers`,
  flags: () => t`Controller flags`,
  appearance: () => t`Appearance`,
});

export function sectionOf(text: string): Section | undefined {
  return SECTIONS.find((section) => section === text);
}
