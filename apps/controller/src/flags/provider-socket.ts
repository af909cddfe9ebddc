import { type FlagKind, FlagProblem } from "./kinds.ts";

/** Numeric ids of who may own a provider's socket besides root and the controller's own user. */
export interface SocketOwnerFlag {
  readonly user: number | undefined;
  readonly group: number | undefined;
}

const SCHEME = "unix://";

/** `unix:///run/cloudwright/aws.sock`: the value is the path, or "" without the flag. */
export const providerSocket: FlagKind<string> = {
  label: "address",
  parse: (text) => {
    if (text === "") return "";
    const path = text.slice(SCHEME.length);
    if (text.startsWith(SCHEME) && /^\/[^\0]*[^/\0]$/.test(path)) return path;
    throw new FlagProblem(
      "must be the address of a Unix socket, such as unix:///run/cloudwright/aws.sock",
    );
  },
  format: (path) => JSON.stringify(path === "" ? "" : `${SCHEME}${path}`),
};

/** `USER`, `USER:GROUP` or `:GROUP`, as numbers. */
export const providerSocketOwner: FlagKind<SocketOwnerFlag> = {
  label: "USER:GROUP",
  parse: (text) => {
    if (text === "" || text === NONE) return { user: undefined, group: undefined };
    const match = OWNER.exec(text);
    if (match === null) {
      throw new FlagProblem(
        "must be the number of a user, of a group after a colon, or both, such as 65532:65532",
      );
    }
    const [, user, group] = match;
    return { user: numberOf(user), group: numberOf(group) };
  },
  format: ({ user, group }) => {
    if (user === undefined && group === undefined) return NONE;
    return `${user ?? ""}${group === undefined ? "" : `:${group}`}`;
  },
};

const NONE = "none";
const OWNER = /^(?=.)(\d{1,10})?(?::(\d{1,10}))?$/;

function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}
