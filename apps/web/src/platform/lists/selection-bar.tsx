"use client";
import { ACTION_KINDS, type ActionKind, openerOf } from "@cloudwright/core/model/action";
import { BATCH_MOST } from "@cloudwright/core/model/intent";
import { Button } from "../../components/button/button.tsx";
import page from "../../components/page/page.module.css";
import type { Column } from "../../components/table/column.ts";
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
import styles from "./selection.module.css";
import { isSelectable, type SelectableRow, type Selection } from "./use-selection.ts";

type Chosen = Pick<Selection<SelectableRow>, "chosen" | "clear">;

/** What can be done with the rows that are marked: a button for each action that one of them takes. */
export function SelectionBar({
  selection: { chosen, clear },
  of,
}: {
  readonly selection: Chosen;
  /** What the rows are called. */
  readonly of: BulkOf;
}) {
  const choices = [...chosen.values()].flat();
  const kinds = ACTION_KINDS.filter((kind) => choices.some((choice) => choice.kind === kind));
  return (
    <div role="status" className={styles.selection}>
      {chosen.size === 0 ? null : (
        <div className={page.toolbar}>
          <span>{bulkCount(of, chosen.size)} selected</span>
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
            Clear selection
          </Button>
          <TooMany of={of} count={chosen.size} kinds={kinds} />
        </div>
      )}
    </div>
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
  const done = kind === undefined ? "acted on" : bulkDone({ kind, of });
  return `At most ${BATCH_MOST} ${bulkThings(of)} are ${done} at once, so that their plans can be read.`;
}

/** Opens the dialog of one action on those of the marked rows that take it. */
function BulkButton({
  kind,
  targets,
  isFirst,
  onDone,
}: {
  readonly kind: ActionKind;
  readonly targets: readonly ActionChoice[];
  /** It is named in full; the others by what opens their dialog. */
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

/** A box on each row, and one for all that are loaded. */
export function selectionColumn<Row extends SelectableRow>(
  { chosen, toggle, toggleAll }: Selection<Row>,
  rows: readonly Row[],
): Column<Row, never> {
  const present = rows.filter(isSelectable);
  const count = present.filter(({ uid }) => chosen.has(uid)).length;
  return {
    id: "select",
    header: "Select",
    head: (
      <Box
        label="Select all rows that are loaded"
        checked={present.length > 0 && count === present.length}
        isMixed={count > 0 && count < present.length}
        onChange={() => toggleAll(present)}
      />
    ),
    width: 52,
    narrow: "corner",
    cell: (row) =>
      isSelectable(row) ? (
        <Box
          label={`Select ${row.name}`}
          checked={chosen.has(row.uid)}
          onChange={() => toggle(row)}
        />
      ) : null,
  };
}

function Box({
  label,
  checked,
  isMixed = false,
  onChange,
}: {
  readonly label: string;
  readonly checked: boolean;
  readonly isMixed?: boolean;
  readonly onChange: () => void;
}) {
  return (
    <label className={styles.box}>
      <input
        type="checkbox"
        aria-label={label}
        checked={checked}
        ref={(input) => {
          if (input !== null) input.indeterminate = isMixed;
        }}
        onChange={onChange}
      />
    </label>
  );
}
