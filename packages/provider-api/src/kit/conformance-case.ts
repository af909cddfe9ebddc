import { type RecordedContexts, recordedContexts } from "./recorded-contexts.ts";

/** One promise of a provider, checked on a fixture of its own. Knows no test framework. */
export interface ConformanceCase<Fixture, Need extends string> {
  readonly name: string;
  /** What the fixture must be able to do. */
  readonly needs: readonly Need[];
  /** Which of the needs this fixture does not meet; a case with any is to be skipped visibly. */
  unmet(fixture: Fixture): readonly Need[];
  /** Rejects with an AssertionError that says what the provider did wrong, or with what the provider threw. */
  run(fixture: Fixture): Promise<void>;
}

/** A provider under test, and the calls that it has made so far. */
export interface Subject<Fixture> extends RecordedContexts {
  readonly fixture: Fixture;
}

/** A case as the kits write it. */
export interface KitCase<Fixture, Need extends string> {
  readonly name: string;
  readonly needs?: readonly Need[];
  check(subject: Subject<Fixture>): Promise<void>;
}

/** Each with contexts of its own. */
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
