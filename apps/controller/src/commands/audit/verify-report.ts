import type { ChainVerification, CheckpointCopy } from "@cloudwright/store/views/chains";

export const BROKEN_ADVICE =
  "Leave the database as it is, keep a copy of it, and compare these entries with a backup or an export from before.";

/** What was found in one chain, for a terminal. */
export function verifyReport(found: ChainVerification): string {
  const { chain, intact, breaks, breakCount } = found;
  const unnamed = breakCount - breaks.length;
  return [
    `${intact ? "INTACT" : "BROKEN"}  ${chain}: ${found.sentence}`,
    ...(breakCount > 1 ? breaks.map(({ sentence }) => `  broken   ${sentence}`) : []),
    ...(unnamed > 0 ? [`  broken   and ${unnamed} more places`] : []),
    ...(intact ? [] : provenLines(found)),
    ...checkpointLines(found),
    ...(found.head === undefined ? [] : [`  head     ${found.head.seq}:${found.head.hash}`]),
  ].join("\n");
}

function provenLines({ proven }: ChainVerification): readonly string[] {
  if (proven.length === 0) return ["  proven   nothing"];
  return proven.map(({ from, to, bound }) => {
    const which = from === to ? `entry ${from} is` : `entries ${from} to ${to} are`;
    const how = bound
      ? "as written, confirmed by the entries after it"
      : "unchanged in themselves, but not yet confirmed by later entries";
    return `  proven   ${which} ${how}`;
  });
}

function checkpointLines(found: ChainVerification): readonly string[] {
  const { checkpoints, anchoredTo, notAnchored, head } = found;
  const lines = checkpoints.map(({ copy, seq, place, matches, at }) => {
    const verdict = matches ? "holds" : "does not hold";
    const where = `${COPIES[copy]}${place}`;
    return `  checkpoint at ${seq} of ${new Date(at).toISOString()} (${where}): ${verdict}`;
  });
  if (head === undefined) return lines;
  return [...lines, `  anchored up to entry ${anchoredTo}; not yet anchored: ${notAnchored}`];
}

/** Which copy of a checkpoint was compared. */
const COPIES: Record<CheckpointCopy, string> = {
  configMap: "",
  anchor: "anchor ",
  given: "",
  database: "the database's own copy of ",
};
