import type { Reporter, Suite } from "@playwright/test/reporter";

/** Ends the output with the line that every suite of this project ends with; what passed at the second try has passed. */
// biome-ignore lint/style/noDefaultExport: Playwright takes a reporter by its default export.
export default class CountingReporter implements Reporter {
  #suite: Suite | undefined;

  onBegin(_config: unknown, suite: Suite): void {
    this.#suite = suite;
  }

  /** After `onEnd`, in which the list reporter writes its summary. */
  onExit(): Promise<void> {
    const outcomes = this.#suite?.allTests().map((one) => one.outcome()) ?? [];
    const failed = outcomes.filter((outcome) => outcome === "unexpected").length;
    const skipped = outcomes.filter((outcome) => outcome === "skipped").length;
    const passed = outcomes.length - failed - skipped;
    console.log(`${passed} passed, ${failed} failed${skipped === 0 ? "" : `, ${skipped} skipped`}`);
    return Promise.resolve();
  }
}
