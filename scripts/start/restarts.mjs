const WINDOW_MIN = 10;
const MINUTE_MS = 60_000;
const FIRST_DELAY_MS = 1_000;
/** Long enough for an overloaded machine to recover, short enough for a cluster without its controller. */
const LONGEST_DELAY_MS = 30_000;

/** Decides when a part that lost its Lease is restarted: immediately, and later and later if that repeats. */
export function createRestarts({ now }) {
  let losses = [];
  return {
    /** Counts one more loss, and returns after how many milliseconds to restart, and what to tell the user. */
    next(name) {
      const at = now();
      losses = [...losses.filter((loss) => at - loss < WINDOW_MIN * MINUTE_MS), at];
      const count = losses.length;
      const delayMs = delayAfter(count);
      const what = `The ${name} lost its Lease and is started anew`;
      if (count === 1) return { delayMs, sentence: `${what}.` };
      const often = `${ordinal(count)} time in ${WINDOW_MIN} min`;
      return { delayMs, sentence: `${what} in ${delayMs / 1_000} s (${often}).` };
    },
  };
}

function delayAfter(count) {
  return count === 1 ? 0 : Math.min(FIRST_DELAY_MS * 2 ** (count - 2), LONGEST_DELAY_MS);
}

const ENDINGS = { one: "st", two: "nd", few: "rd", other: "th" };

function ordinal(count) {
  return `${count}${ENDINGS[new Intl.PluralRules("en", { type: "ordinal" }).select(count)]}`;
}
