"use client";
import { ROLES, type Role, roleIncludes } from "@cloudwright/core/model/roles";
import { Button } from "../../components/button/button.tsx";
import page from "../../components/page/page.module.css";
import { ScrollBox } from "../../components/scroll-edges/scroll-box.tsx";
import { viewAs } from "../../platform/viewer/view-as.ts";
import { useViewer } from "../../platform/viewer/viewer-context.tsx";
import { RIGHTS } from "./role-rights.ts";
import styles from "./settings.module.css";

/** Who may do what. A lesser role than one's own can be tried out. */
export function RolesMatrix() {
  const { ownRole, role } = useViewer();
  return (
    <section className={`${page.card} ${styles.panel}`} aria-labelledby="roles">
      <h2 id="roles" className={styles.panelTitle}>
        What each role may do
      </h2>
      <ScrollBox className="scroll-x">
        <table className={styles.matrix}>
          <caption className="visually-hidden">What each role may do</caption>
          <thead>
            <tr>
              <th scope="col">Right</th>
              {ROLES.map((each) => (
                <th key={each} scope="col">
                  {each}
                  {each === ownRole ? <span className="quiet small light"> (you)</span> : null}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {RIGHTS.map(({ what, needs }) => (
              <tr key={what}>
                <th scope="row">{what}</th>
                {ROLES.map((each) => (
                  <td key={each}>
                    <Mark has={roleIncludes(each, needs)} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
      <ViewAs own={ownRole} shown={role} />
    </section>
  );
}

function Mark({ has }: { readonly has: boolean }) {
  return (
    <span className={styles.mark} data-has={has}>
      <span aria-hidden="true">{has ? "✓" : "–"}</span>
      <span className="visually-hidden">{has ? "yes" : "no"}</span>
    </span>
  );
}

function ViewAs({ own, shown }: { readonly own: Role; readonly shown: Role }) {
  const lesser = ROLES.filter((role) => role !== own && roleIncludes(own, role));
  if (lesser.length === 0) return null;
  return (
    <div className={page.toolbar}>
      <span className="quiet small light">See the pages as</span>
      {[...lesser, own].map((role) => (
        <Button
          key={role}
          active={role === shown}
          aria-pressed={role === shown}
          onClick={() => viewAs(role === own ? undefined : role)}
        >
          {role === own ? "yourself" : role}
        </Button>
      ))}
    </div>
  );
}
