/** A list may have thousands of members, more than a page can show. This many of each are shown, plus the matches of a search. */
const SHOWN_MEMBERS = 200;
const OPEN_LEVELS = 3;

/** One line of a record as a tree. */
export interface JsonRow {
  /** In jq syntax: `.steps[0].labels["a/b"]`; `.` for the whole record. */
  readonly path: string;
  /** The path of the enclosing value; undefined for the whole record. */
  readonly parent: string | undefined;
  /** The name within the enclosing value; undefined for an element of a list. */
  readonly name: string | undefined;
  /** The whole record is at level 1. */
  readonly level: number;
  readonly value: unknown;
  /** The number of members; undefined for values that cannot have any, 0 for empty ones. */
  readonly members: number | undefined;
  readonly isOpen: boolean;
  /** The number of members left out that this line stands for; 0 for every real value. */
  readonly hidden: number;
}

/** Where a text occurs, in the order of the tree. */
export interface JsonMatches {
  readonly paths: readonly string[];
  /** The paths of values that contain a match at any depth. */
  readonly around: ReadonlySet<string>;
}

const NO_MATCHES: JsonMatches = { paths: [], around: new Set() };

/** Finds the values whose name or own text contains the text, ignoring case. */
export function jsonMatches(value: unknown, text: string): JsonMatches {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return NO_MATCHES;
  const paths: string[] = [];
  const around = new Set<string>();
  const walk = (member: Member, above: readonly string[]) => {
    if (textOf(member).toLowerCase().includes(wanted)) {
      paths.push(member.path);
      for (const path of above) around.add(path);
    }
    for (const inner of membersOf(member)) walk(inner, [...above, member.path]);
  };
  walk({ path: ".", name: undefined, value }, []);
  return { paths, around };
}

/** Returns the visible lines: as the user folded or unfolded them, otherwise the first levels and the matches of a search. */
export function jsonRows(
  value: unknown,
  {
    folds,
    matches,
  }: { readonly folds: ReadonlyMap<string, boolean>; readonly matches: JsonMatches },
): readonly JsonRow[] {
  const found = new Set(matches.paths);
  const isWanted = ({ path }: Member) => found.has(path) || matches.around.has(path);
  const rowsOf = (
    member: Member,
    level: number,
    parent: string | undefined,
  ): readonly JsonRow[] => {
    const { path } = member;
    const members = membersOf(member);
    const isOpen =
      members.length > 0 && (folds.get(path) ?? (level <= OPEN_LEVELS || matches.around.has(path)));
    const row: JsonRow = {
      ...{ ...member, parent, level, isOpen, hidden: 0 },
      members: isBranch(member.value) ? members.length : undefined,
    };
    if (!isOpen) return [row];
    const shown = [
      ...members.slice(0, SHOWN_MEMBERS),
      ...members.slice(SHOWN_MEMBERS).filter(isWanted).slice(0, SHOWN_MEMBERS),
    ];
    const rows = [row, ...shown.flatMap((inner) => rowsOf(inner, level + 1, path))];
    const hidden = members.length - shown.length;
    return hidden === 0 ? rows : [...rows, restOf(row, hidden)];
  };
  return rowsOf({ path: ".", name: undefined, value }, 1, undefined);
}

function restOf({ path, level }: JsonRow, hidden: number): JsonRow {
  return {
    ...{ path: `${path} …`, parent: path, name: undefined, value: undefined, hidden },
    ...{ level: level + 1, members: undefined, isOpen: false },
  };
}

interface Member {
  readonly path: string;
  readonly name: string | undefined;
  readonly value: unknown;
}

function isBranch(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** Returns the members that JSON has of a value, which excludes those that are undefined. */
function membersOf({ path, value }: Member): readonly Member[] {
  if (!isBranch(value)) return [];
  const isList = Array.isArray(value);
  return Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([key, member]) => ({
      path: isList ? `${path}[${key}]` : memberPath(path, key),
      name: isList ? undefined : key,
      value: member,
    }));
}

function memberPath(path: string, key: string): string {
  if (!/^[A-Za-z_]\w*$/.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === "." ? `.${key}` : `${path}.${key}`;
}

function textOf({ name = "", value }: Member): string {
  return isBranch(value) ? name : `${name}\n${JSON.stringify(value)}`;
}
