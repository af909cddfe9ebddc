import { type FlagKind, FlagProblem } from "./kinds.ts";

/** `--adopt-consent`: the cloud's id of the resource that each Service (`namespace/name`) or Node may adopt. */
export type AdoptConsents = ReadonlyMap<string, string>;

/** Comma separated; repeated flags add up. An id may contain anything but a comma. */
export const adoptConsents: FlagKind<AdoptConsents> = {
  label: "NAMESPACE/NAME=ID,NODE=ID",
  parse: (text) => new Map(text === "" || text === NONE ? [] : text.split(",").map(consentIn)),
  format: (consents) =>
    consents.size === 0 ? NONE : [...consents].map(([name, id]) => `${name}=${id}`).join(","),
  merge: (before, next) => new Map([...before, ...next]),
};

const NONE = "none";

function consentIn(text: string): readonly [string, string] {
  const match = PAIR.exec(text.trim());
  const [, name, id] = match ?? [];
  if (name === undefined || id === undefined) {
    throw new FlagProblem(
      "must be Services or Nodes with the cloud's id of what they adopt, such as shop/web=lb-1 or w-1=r-7",
    );
  }
  return [name, id];
}

const PAIR = /^((?:[a-z0-9][-a-z0-9]*\/)?[a-z0-9][-.a-z0-9]*)=(\S+)$/;
