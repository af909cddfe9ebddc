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

export const SECTION_LABELS: Readonly<Record<Section, string>> = {
  users: "Users and roles",
  sessions: "Sessions and password",
  tokens: "API tokens",
  notifications: "Notifications",
  approval: "Approval",
  controllers: "Controllers",
  flags: "Controller flags",
  appearance: "Appearance",
};

export function sectionOf(text: string): Section | undefined {
  return SECTIONS.find((section) => section === text);
}
