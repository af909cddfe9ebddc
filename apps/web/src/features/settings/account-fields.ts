import type { ApiTokenView } from "@cloudwright/store/views/api-tokens";
import type { SessionView, UserView } from "@cloudwright/store/views/views";
import { type Field, field, timeField } from "../../components/table/field.ts";

type ClusterAccess = UserView["clusters"];

/** By id, because names may change. */
function clustersText(clusters: ClusterAccess): string {
  return clusters === "all" ? "all" : clusters.join(", ");
}

/** The fields of the export of users; they say whether a user has a way to sign in, never its secret. */
export const USER_FIELDS: readonly Field<UserView>[] = [
  field("name", "Name", ({ name }) => name),
  field("email", "E-mail address", ({ email }) => email),
  field("role", "Role", ({ role }) => role),
  field("clusters", "Clusters", ({ clusters }) => clustersText(clusters)),
  field("state", "State", ({ disabled }) => (disabled ? "Disabled" : "Active")),
  field("why", "Why disabled", ({ disabledWhy }) => disabledWhy),
  field("external", "Identity provider", ({ isExternal }) => isExternal),
  field("password", "Password", ({ hasPassword }) => hasPassword),
  field("authenticator", "Authenticator app", ({ authenticator }) => authenticator !== undefined),
  field("sessions", "Sessions", ({ sessions }) => sessions),
  timeField("seen", "Last seen", ({ lastSeenAt }) => lastSeenAt),
  timeField("created", "Created", ({ createdAt }) => createdAt),
  field("failed", "Failed sign-ins of a day", ({ failedSignIns }) => failedSignIns?.count ?? 0),
  field("id", "User id", ({ id }) => id),
];

/** The fields of the export of sessions. */
export const SESSION_FIELDS: readonly Field<SessionView>[] = [
  field("user", "User", ({ person }) => person.name),
  field("email", "E-mail address", ({ person }) => person.email),
  field("address", "Address", ({ address }) => address),
  field("browser", "Browser", ({ agent }) => agent),
  timeField("created", "Signed in", ({ createdAt }) => createdAt),
  timeField("seen", "Last used", ({ lastSeenAt }) => lastSeenAt),
  timeField("expires", "Expires", ({ expiresAt }) => expiresAt),
  field("this", "This session", ({ isThis }) => isThis),
];

const TOKEN_STATES = { active: "Active", expired: "Expired", blocked: "Blocked" } as const;

/** The fields of the export of tokens: what they permit, and nothing that would let anybody use them. */
export const TOKEN_FIELDS: readonly Field<ApiTokenView>[] = [
  field("name", "Name", ({ name }) => name),
  field("kind", "Kind", ({ kind }) => kind),
  field("owner", "User", ({ owner }) => owner?.name),
  field("email", "E-mail address", ({ owner }) => owner?.email),
  field("role", "Role", ({ role }) => role),
  field("clusters", "Clusters", ({ clusters }) => clustersText(clusters)),
  field("state", "State", ({ state }) => TOKEN_STATES[state]),
  timeField("expires", "Expires", ({ expiresAt }) => expiresAt),
  timeField("used", "Last used", ({ lastUsedAt }) => lastUsedAt),
  field("address", "Last used from", ({ lastUsedAddress }) => lastUsedAddress),
  timeField("created", "Created", ({ createdAt }) => createdAt),
  field("by", "Created by", ({ createdBy }) => createdBy),
];

/** Separates the tokens of services, which have a panel of their own; undefined before they are read. */
export function tokensByPanel<Tokens extends readonly ApiTokenView[] | undefined>(
  tokens: Tokens,
  own: string,
): { readonly services: Tokens; readonly others: Tokens } {
  const which = (isShown: (token: ApiTokenView) => boolean) => tokens?.filter(isShown) as Tokens;
  return {
    services: which(({ kind }) => kind === "service"),
    others: which(({ owner }) => owner !== undefined && owner.id !== own),
  };
}
