"use client";
import { ACTION_KINDS, type ActionKind, openerOf } from "@cloudwright/core/model/actions/action";
import { BATCH_MOST } from "@cloudwright/core/model/actions/intent";
import { t } from "@cloudwright/core/model/language/text";
import { Button } from "../../components/button/button.tsx";
import { mixed } from "../../components/language/mixed-text.ts";
import { useClusterId } from "../../components/url/use-url-state.ts";
import type { ActionChoice } from "../actions/action-choice.ts";
import {
  actOf,
  type BulkOf,
  bulkCount,
  bulkDone,
  bulkThings,
  bulkTitle,
} from "../actions/bulk-choice.ts";
import { openDialog } from "../actions/dialog-store.ts";
import { GatedButton } from "../actions/gated-button.tsx";
import { useWhyNot } from "../actions/use-leave.ts";
import type { SelectableRow, Selection } from "./use-selection.ts";

type Chosen = Pick<Selection<SelectableRow>, "chosen" | "clear">;

/** A button for each action that applies to at least one selected row. */
export function ChosenActions({
  chosen,
  clear,
  of,
}: Chosen & {
  /** What the rows are called. */
  readonly of: BulkOf;
}) {
  const choices = [...chosen.values()].flat();
  const kinds = ACTION_KINDS.filter((kind) => choices.some((choice) => choice.kind === kind));
  return (
    <>
      <span>{mixed`${bulkCount(of, chosen.size)} selected`}</span>
      {kinds.map((kind, index) => (
        <BulkButton
          key={kind}
          kind={kind}
          isFirst={index === 0}
          targets={choices.filter((choice) => choice.kind === kind)}
          onDone={clear}
        />
      ))}
      <Button appearance="quiet" onClick={clear}>
        {t`Clear selection`}
      </Button>
      <TooMany of={of} count={chosen.size} kinds={kinds} />
    </>
  );
}

function TooMany({
  of,
  count,
  kinds,
}: {
  readonly of: BulkOf;
  readonly count: number;
  readonly kinds: readonly ActionKind[];
}) {
  const [only] = kinds;
  if (count <= BATCH_MOST || only === undefined) return null;
  return <span className="small second">{tooMany(of, kinds.length === 1 ? only : undefined)}</span>;
}

function tooMany(of: BulkOf, kind: ActionKind | undefined): string {
  const done = kind === undefined ? t`acted on` : bulkDone({ kind, of });
  return t`At most ${BATCH_MOST} ${bulkThings(of)} are ${done} at once, so that their plans can be read.`;
}

/** Opens the dialog of one action for the selected rows that it applies to. */
function BulkButton({
  kind,
  targets,
  isFirst,
  onDone,
}: {
  readonly kind: ActionKind;
  readonly targets: readonly ActionChoice[];
  /** The first button has the full name; the others have the label that opens their dialog. */
  readonly isFirst: boolean;
  readonly onDone: () => void;
}) {
  const cluster = useClusterId();
  const notMine = useWhyNot(kind);
  const act = actOf({ targets });
  const obstacle = targets.length > BATCH_MOST ? tooMany(act.of, kind) : undefined;
  return (
    <GatedButton
      appearance={isFirst ? "primary" : "plain"}
      whyNot={notMine ?? obstacle}
      onClick={({ currentTarget }) =>
        openDialog({
          choice: { kind: "bulk", cluster, targets, onDone },
          opener: currentTarget,
        })
      }
    >
      {isFirst ? (
        `${bulkTitle(act, targets.length)}…`
      ) : (
        <>
          {openerOf(kind)}
          <span className="visually-hidden"> {bulkCount(act.of, targets.length)}</span>
        </>
      )}
    </GatedButton>
  );
}
