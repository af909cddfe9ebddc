/** The user of a request. */
export interface User {
  readonly username: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

export const ANONYMOUS: User = { username: "system:anonymous", groups: ["system:unauthenticated"] };
export const ADMIN: User = {
  username: "admin",
  groups: ["system:masters", "system:authenticated"],
};

export function isAnonymous(user: Pick<User, "username" | "groups">): boolean {
  return user.username === ANONYMOUS.username || user.groups.includes("system:unauthenticated");
}

export function serviceAccountUser(namespace: string, name: string, uid: string): User {
  return {
    username: `system:serviceaccount:${namespace}:${name}`,
    uid,
    groups: [
      "system:serviceaccounts",
      `system:serviceaccounts:${namespace}`,
      "system:authenticated",
    ],
  };
}
