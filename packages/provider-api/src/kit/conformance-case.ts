import { type RecordedContexts, recordedContexts } from "./recorded-contexts.ts";

/** One requirement on providers, checked on a fixture of its own. Independent of any test framework. */
export interface ConformanceCase<Fixture, Need extends string> {
  readonly name: string;
  /** What the fixture must support. */
  readonly needs: readonly Need[];
  /** Returns the needs that this fixture does not meet; a case with any should be reported as skipped. */
  unmet(fixture: Fixture): readonly Need[];
  /** Rejects with an AssertionError that says what the provider did wrong, or with the error that the provider threw. */
  run(fixture: Fixture): Promise<void>;
}

/** A provider under test, and the calls it has made so far. */
export interface Subject<Fixture> extends RecordedContexts {
  readonly fixture: Fixture;
}

/** A case as it is written in the kits. */
export interface KitCase<Fixture, Need extends string> {
  readonly name: string;
  readonly needs?: readonly Need[];
  check(subject: Subject<Fixture>): Promise<void>;
}

/** Makes the cases, each of which runs with contexts of its own. */
export function conformanceCases<
  Fixture extends { readonly provider: string },
  Need extends string,
>(
  cases: readonly KitCase<Fixture, Need>[],
  isMet: (need: Need, fixture: Fixture) => boolean,
): readonly ConformanceCase<Fixture, Need>[] {
  return cases.map(({ name, needs = [], check }) => ({
    name,
    needs,
    unmet: (fixture) => needs.filter((need) => !isMet(need, fixture)),
    run: (fixture) => check({ fixture, ...recordedContexts(fixture) }),
  }));
}
