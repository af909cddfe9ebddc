import type { UserView } from "@cloudwright/store/views/views";

/** The props of a form about one user. */
export interface FormProps {
  readonly user: UserView;
  readonly onClose: () => void;
}
