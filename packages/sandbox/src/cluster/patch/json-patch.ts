import { type Json, sameJson } from "@cloudwright/core/model/values/json";
import { z } from "zod";
import { badRequest, unprocessablePatch } from "../http/api-error.ts";
import { defined, isList, isObject } from "./merge-patch.ts";

const MOST_OPERATIONS = 10_000;

const operationSchema = z.looseObject({
  op: z.string(),
  path: z.string(),
  from: z.string().optional(),
  value: z.json().optional(),
});
type Operation = z.infer<typeof operationSchema>;

/** Applies RFC 6902. Throws ApiError 422 when an operation does not apply, as upstream does, and 400 for an invalid patch. */
export function jsonPatch(target: Json, patch: Json): Json {
  if (!isList(patch)) {
    throw badRequest(
      "error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp",
    );
  }
  if (patch.length > MOST_OPERATIONS) {
    throw badRequest(`The allowed maximum operations in a JSON patch is ${MOST_OPERATIONS}`);
  }
  return patch.reduce<Json>(applyOperation, target);
}

function applyOperation(document: Json, candidate: Json): Json {
  const parsed = operationSchema.safeParse(candidate);
  if (!parsed.success) throw unprocessablePatch();
  const apply = OPERATIONS[parsed.data.op];
  if (apply === undefined) throw unprocessablePatch();
  return apply(document, parsed.data);
}

const OPERATIONS: Readonly<Record<string, (document: Json, operation: Operation) => Json>> = {
  add: (document, { path, value }) => edit(document, segments(path), insert(value)),
  replace: (document, { path, value }) => edit(document, segments(path), overwrite(value)),
  remove: (document, { path }) => edit(document, segments(path), takeOut),
  test: (document, { path, value }) => {
    if (!sameJson(read(document, segments(path)) ?? null, value ?? null))
      throw unprocessablePatch();
    return document;
  },
  copy: (document, { path, from }) =>
    edit(document, segments(path), insert(existing(document, from))),
  move: (document, { path, from }) => {
    const moved = existing(document, from);
    const without = edit(document, segments(from ?? ""), takeOut);
    return edit(without, segments(path), insert(moved));
  },
};

/** The effect of an operation on the container of the path's last segment. */
interface Edit {
  readonly inObject: (members: Record<string, Json>, key: string) => void;
  readonly inList: (items: Json[], index: number) => void;
  /** Whether `-`, the place after the last item, is allowed. */
  readonly grows: boolean;
}

function insert(value: Json | undefined): Edit {
  return {
    inObject: (members, key) => {
      members[key] = value ?? null;
    },
    inList: (items, index) => {
      items.splice(index, 0, value ?? null);
    },
    grows: true,
  };
}

function overwrite(value: Json | undefined): Edit {
  return {
    inObject: (members, key) => {
      if (!Object.hasOwn(members, key)) throw unprocessablePatch();
      members[key] = value ?? null;
    },
    inList: (items, index) => {
      items[index] = value ?? null;
    },
    grows: false,
  };
}

const takeOut: Edit = {
  inObject: (members, key) => {
    if (!Object.hasOwn(members, key)) throw unprocessablePatch();
    delete members[key];
  },
  inList: (items, index) => {
    items.splice(index, 1);
  },
  grows: false,
};

function edit(document: Json, path: readonly string[], change: Edit): Json {
  const [key, ...rest] = path;
  if (key === undefined) throw unprocessablePatch();
  if (isObject(document)) return editObject(document, key, { rest, change });
  if (isList(document)) return editList(document, key, { rest, change });
  throw unprocessablePatch();
}

interface Below {
  readonly rest: readonly string[];
  readonly change: Edit;
}

function editObject(document: Json & object, key: string, { rest, change }: Below): Json {
  const members = isObject(document) ? defined(document) : {};
  const child = members[key];
  if (rest.length === 0) change.inObject(members, key);
  else if (child === undefined) throw unprocessablePatch();
  else members[key] = edit(child, rest, change);
  return members;
}

function editList(document: readonly Json[], key: string, { rest, change }: Below): Json {
  const items = [...document];
  const last = rest.length === 0;
  const index = indexIn(items, key, last && change.grows);
  const child = items[index];
  if (last) change.inList(items, index);
  else if (child === undefined) throw unprocessablePatch();
  else items[index] = edit(child, rest, change);
  return items;
}

function indexIn(items: readonly Json[], key: string, mayGrow: boolean): number {
  if (key === "-" && mayGrow) return items.length;
  const index = /^(0|[1-9]\d*)$/.test(key) ? Number(key) : Number.NaN;
  const limit = mayGrow ? items.length : items.length - 1;
  if (Number.isNaN(index) || index > limit) throw unprocessablePatch();
  return index;
}

function existing(document: Json, from: string | undefined): Json {
  const value = from === undefined ? undefined : read(document, segments(from));
  if (value === undefined) throw unprocessablePatch();
  return value;
}

function read(document: Json, path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>((value, key) => {
    if (isObject(value)) return value[key];
    return isList(value) && /^\d+$/.test(key) ? value[Number(key)] : undefined;
  }, document);
}

function segments(pointer: string): readonly string[] {
  if (pointer === "") return [];
  if (!pointer.startsWith("/")) throw unprocessablePatch();
  return pointer
    .slice(1)
    .split("/")
    .map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"));
}
