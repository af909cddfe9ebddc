import type { FailedSignIns, PersonView } from "@cloudwright/store/views";
import { Link } from "../../components/link.tsx";
import { TimeText } from "../../components/time/time-text.tsx";
import { addresses } from "../../components/url/addresses.ts";
import styles from "./settings.module.css";

/** A few are mistyping; from here on somebody may be guessing. */
const WORTH_SAYING = 5;

interface Guessed {
  readonly person: PersonView;
  readonly failed: FailedSignIns;
}

/** Whose password was typed wrongly so often that an admin should know. */
export function FailedSignInNotes({
  people,
  cluster,
}: {
  readonly people: readonly PersonView[];
  /** Whose pages the audit entries are shown in; undefined when no cluster has reported yet. */
  readonly cluster: string | undefined;
}) {
  const guessed = people.flatMap((person): Guessed[] => {
    const failed = person.failedSignIns;
    return failed === undefined || failed.count < WORTH_SAYING ? [] : [{ person, failed }];
  });
  if (guessed.length === 0) return null;
  return (
    <ul className={styles.notes} aria-label="Wrong passwords">
      {guessed.map(({ person, failed }) => (
        <li key={person.id}>
          <strong>{person.name}</strong>: {failed.count.toLocaleString("en-GB")} wrong passwords in
          the last 24 h, the last <TimeText at={failed.lastAt} /> from{" "}
          {failed.lastAddress ?? "an unknown address"}. Each further attempt is delayed; the account
          stays open to the right password.{" "}
          {cluster === undefined ? null : (
            <Link href={refusals(cluster, person)}>Show the audit entries</Link>
          )}
        </li>
      ))}
    </ul>
  );
}

function refusals(cluster: string, { email }: PersonView): string {
  const filter = `object:"${email}" action:account.refused`;
  return addresses.audit(cluster, `?chain=accounts&q=${encodeURIComponent(filter)}`);
}
