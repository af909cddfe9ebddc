import type { UserView } from "@cloudwright/store/views/views";

/** What a form about one user is given. */
export interface FormProps {
  readonly user: UserView;
  readonly onClose: () => void;
}
