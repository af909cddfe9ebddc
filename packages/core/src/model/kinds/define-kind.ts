import type { z } from "zod/mini";
import type { ControllerName } from "../controller-names.ts";
import type { Reason } from "../reason.ts";
import type { Outcome } from "../run.ts";
import type { Drift, State } from "../state.ts";
import type { KnownObject } from "./known-object.ts";

/** How a column is stored; `time` is in milliseconds since the epoch here and a timestamp in the database. */
export type ColumnType =
  | "text"
  | "text[]"
  | "uuid"
  | "int"
  | "smallint"
  | "bigint"
  | "float8"
  | "boolean"
  | "jsonb"
  | "time";

/** A column that only the objects of some kinds have. */
export interface StateColumn<Value = unknown> {
  readonly type: ColumnType;
  /**
   * The schema of a stored value; a value that does not match, which a newer release may have written, counts as
   * unknown.
   */
  readonly schema?: z.ZodMiniType<Value>;
  /** The replacement for an unknown value; undefined by default. */
  readonly fallback?: Value;
  /** False if only the page of the one object reads it, or the next merge. */
  readonly inLists?: false;
}

interface ReadColumn<Subject, Value = unknown> extends StateColumn<Value> {
  /** Pure. Undefined if nothing is known: it is stored as NULL. */
  readonly read: (subject: Subject) => Value | undefined;
}

/**
 * What the rows of all kinds have in a column of the same name and meaning, besides what follows from state and
 * parts.
 */
export interface SharedFacts {
  readonly createdAt?: number | undefined;
  /** The cloud's id: a machine's provider ID, the id of a load balancer or disk. */
  readonly providerID?: string | undefined;
  /** The first address at which it is reached. */
  readonly address?: string | undefined;
  /** The words by which a list finds it besides its name. */
  readonly words: readonly (string | undefined)[];
}

/** The order of a list: by what all rows have, or by one of the kind's own columns, smallest or unknown first. */
type SortBy<Columns> = "state" | "name" | "since" | keyof Columns;

export interface OwnFilter<Column> {
  readonly column: Column;
  /** `any`: one of those given. `overlap`: at least one of those given. `equal`: the one given. */
  readonly match: "any" | "overlap" | "equal";
  /** All possible values; any text by default. */
  readonly choices?: readonly string[];
}

type FilterSet<Column extends string = string> = Readonly<Record<string, OwnFilter<Column>>>;

interface KindInput<
  Subject,
  Columns extends Readonly<Record<string, ReadColumn<Subject>>>,
  Sort extends string,
  Filters,
  Detail,
> {
  /** The name in reports: `Node`. */
  readonly name: string;
  /** The table inherits the columns of `all_states`; kinds with the same columns may share one. */
  readonly table: string;
  /** For a kind that is not reported by itself: the kind of which it is a part, and the controller that reports it. */
  readonly partOf?: { readonly kind: string; readonly controller: ControllerName };
  /** What its page shows besides the columns. */
  readonly detail?: { readonly schema: z.ZodMiniType<Detail>; readonly inLists: boolean };
  /** Computes once what all columns are read from. */
  readonly subject: (object: KnownObject) => Subject;
  /** For a part of an object, these are the object's facts. */
  readonly shared?: (subject: Subject) => SharedFacts;
  readonly columns: Columns;
  /** Facts of the object that reports leave out if they are unchanged: columns from which the next merge starts. */
  readonly keeps?: readonly (keyof Columns & keyof KnownObject)[];
  readonly sorts: Readonly<Record<Sort, SortBy<Columns>>>;
  /** The filters besides text, states, reason and drift. */
  readonly filters: Filters;
  /** The filters whose values are offered for selection. */
  readonly facets: readonly (keyof Filters & string)[];
}

/**
 * One kind of object on which controllers report. From this follow the insert, the list with its filters, orders,
 * counts and facets, the type of a row, and the sorting and filtering of the page's table.
 */
export interface ObjectKind<
  Columns extends Readonly<Record<string, StateColumn>> = Readonly<Record<string, StateColumn>>,
  Sort extends string = string,
  Filters extends FilterSet = FilterSet,
  Detail = unknown,
> extends Pick<
    KindInput<never, never, Sort, Filters, Detail>,
    "name" | "table" | "partOf" | "detail" | "filters" | "facets"
  > {
  readonly columns: Columns;
  readonly keeps: readonly string[];
  readonly sorts: Readonly<Record<Sort, string>>;
  /** Pure. */
  read(object: KnownObject): {
    readonly shared: SharedFacts;
    readonly own: Readonly<Record<keyof Columns & string, unknown>>;
  };
}

export function defineObjectKind<
  Subject,
  const Columns extends Readonly<Record<string, ReadColumn<Subject>>>,
  Sort extends string,
  const Filters extends FilterSet<keyof Columns & string> = FilterSet,
  Detail = undefined,
>(
  kind: KindInput<Subject, Columns, Sort, Filters, Detail>,
): ObjectKind<Columns, Sort, Filters, Detail> {
  const { subject, shared, keeps = [], ...rest } = kind;
  const columns = Object.entries<ReadColumn<Subject>>(kind.columns);
  return {
    ...rest,
    keeps,
    read(object) {
      const read = subject(object);
      const own = columns.map(([name, column]) => [name, column.read(read)]);
      return { shared: shared?.(read) ?? { words: [] }, own: Object.fromEntries(own) };
    },
  } as ObjectKind<Columns, Sort, Filters, Detail>;
}

/** What a list shows of any object. Times are in milliseconds since the epoch. */
export interface ObjectSummary {
  /** With its namespace, if it has one: `shop/web`. */
  readonly name: string;
  readonly uid: string;
  readonly state: State;
  readonly reason: Reason;
  /** The controller with the worst state, which is shown. */
  readonly controller: ControllerName;
  readonly since: number;
  readonly nextAt: number | undefined;
  readonly failures: number;
  readonly drift: Drift;
  readonly providerID: string | undefined;
  readonly lastRun: { readonly id: string; readonly outcome: Outcome; readonly at: number };
  readonly updatedAt: number;
}

type ValueOf<Column> =
  Column extends ReadColumn<never, infer Value>
    ? Column extends { readonly fallback: unknown }
      ? Value
      : Value | undefined
    : never;

type Listed<Columns> = {
  readonly [Name in keyof Columns as Columns[Name] extends { readonly inLists: false }
    ? never
    : Name]: ValueOf<Columns[Name]>;
};

/** The columns of a kind's own as they are read back, including those that lists leave out. */
export type OwnOf<Kind> =
  Kind extends ObjectKind<infer Columns, string, FilterSet, unknown>
    ? { readonly [Name in keyof Columns]: ValueOf<Columns[Name]> }
    : never;

type DetailOf<Detail> = Detail extends undefined
  ? unknown
  : { readonly detail: Detail | undefined };

/** A row of the list of a kind. */
export type RowOf<Kind> =
  Kind extends ObjectKind<infer Columns, string, FilterSet, infer Detail>
    ? ObjectSummary & Listed<Columns> & DetailOf<Detail>
    : never;

export type SortOf<Kind extends { readonly sorts: object }> = keyof Kind["sorts"] & string;

type ElementOf<Value> = Value extends readonly (infer Element)[] ? Element : Value;

type FilterValue<Columns, Filter> = Filter extends {
  readonly column: infer Column extends keyof Columns;
  readonly match: infer Match;
}
  ? Match extends "equal"
    ? ElementOf<NonNullable<ValueOf<Columns[Column]>>>
    : readonly ElementOf<NonNullable<ValueOf<Columns[Column]>>>[]
  : never;

/** The filters of the list of any kind; an undefined member filters nothing. */
export interface SharedFilter {
  /** A part of a name, a provider ID, an address, or another word by which it is found; case-insensitive. */
  readonly text?: string | undefined;
  /** All but `gone` by default. */
  readonly states?: readonly State[] | undefined;
  readonly drift?: Drift | undefined;
  /** The code of a reason, or its name. */
  readonly reason?: string | undefined;
}

export type FilterOf<Kind extends { readonly columns: object; readonly filters: object }> =
  SharedFilter & {
    readonly [Name in keyof Kind["filters"]]?:
      | FilterValue<Kind["columns"], Kind["filters"][Name]>
      | undefined;
  };

export function sortsOf<Kind extends { readonly sorts: object }>(
  kind: Kind,
): readonly SortOf<Kind>[] {
  return Object.keys(kind.sorts) as SortOf<Kind>[];
}
