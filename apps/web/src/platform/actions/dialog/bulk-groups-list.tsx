"use client";
import { t } from "@cloudwright/core/model/language/text";
import { keepUnits } from "../../../components/presentation/format-text.ts";
import { type BulkOf, bulkCount, bulkThings } from "../bulk-choice.ts";
import styles from "./action-dialog.module.css";
import type { BulkGroup, BulkMember } from "./bulk-groups.ts";

/** Equal plans as one line, each with the names of its targets. */
export function BulkGroupsList({
  of,
  groups,
}: {
  readonly of: BulkOf;
  readonly groups: readonly BulkGroup[];
}) {
  return (
    <section className={`stack ${styles.list}`} aria-label={t`The ${bulkThings(of)}`}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a pointer. */}
      <ul tabIndex={0} aria-label={t`The ${bulkThings(of)} by their plans`}>
        {groups.map((group) => (
          <li key={group.key} data-standing={group.kind}>
            <Group of={of} group={group} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Group({
  of,
  group: { text, consequences, members },
}: {
  readonly of: BulkOf;
  readonly group: BulkGroup;
}) {
  const [only, ...others] = members;
  if (only === undefined) return null;
  if (others.length === 0) {
    return (
      <>
        <strong>{only.name}</strong>
        <span className="block small second">
          {keepUnits([only.text, ...consequences].join(" "))}
        </span>
      </>
    );
  }
  return (
    <details className={styles.group}>
      <summary>
        <strong>{bulkCount(of, members.length)}</strong>{" "}
        <span className="small second">{namesOf(members)}</span>
        <span className="block small second">{keepUnits(text)}</span>
      </summary>
      <ul>
        {members.map((member) => (
          <li key={member.key} className="small">
            <strong className="medium">{member.name}</strong>{" "}
            <span className="second">{keepUnits(member.text)}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

const NAMED = 3;

/** Formats `node-1, node-2, node-3 and 38 more`. */
function namesOf(members: readonly BulkMember[]): string {
  const named = members.slice(0, NAMED).map(({ name }) => name);
  const more = members.length - named.length;
  return more === 0 ? named.join(", ") : t`${named.join(", ")} and ${more} more`;
}
