import { diffRows } from "@cloudwright/core/model/audit/diff-rows";
import { t } from "@cloudwright/core/model/language/text";
import type { Change } from "@cloudwright/core/model/plan";
import type { Json } from "@cloudwright/core/model/values/json";
import { mixed } from "../language/mixed-text.ts";
import { ScrollBox } from "../scroll-edges/scroll-edges.tsx";
import styles from "./diff-table.module.css";

/** The values before and after a change, field by field. */
export function DiffTable({
  what,
  before,
  after,
}: {
  readonly what: string;
  readonly before: Json;
  readonly after: Json;
}) {
  return (
    <ScrollBox className="scroll-x">
      <table className={styles.diff}>
        <caption className="visually-hidden">{mixed`Before and after ${what}`}</caption>
        <thead>
          <tr>
            <th scope="col">{t`Field`}</th>
            <th scope="col">{t`Before`}</th>
            <th scope="col">{t`After`}</th>
          </tr>
        </thead>
        <tbody>
          {diffRows(before, after).map((row) => (
            <tr key={row.path}>
              <th scope="row">{row.path}</th>
              <Side sign="−" value={row.before} />
              <Side sign="+" value={row.after} />
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

function Side({ sign, value }: { readonly sign: "−" | "+"; readonly value: string | undefined }) {
  if (value === undefined || value === "") return <td className={styles.nothing}>{t`nothing`}</td>;
  return (
    <td data-sign={sign}>
      <code>{value}</code>
    </td>
  );
}

/** Gives each change a key of its own: one run may change several parts of the same load balancer. */
export function keyedChanges(
  changes: readonly Change[],
): readonly { readonly key: string; readonly index: number; readonly change: Change }[] {
  return changes.map((change, index) => ({ key: `${index} ${change.kind}`, index, change }));
}
