import type { UserView } from "@cloudwright/store/views/views";

export {
  AskingForm as SettingsForm,
  ChangeFailed,
  Field,
  FormDialog as SettingsDialog,
  type FormFields,
  WhyField,
} from "../../components/form/form.tsx";

/** What a form about one user is given. */
export interface FormProps {
  readonly user: UserView;
  readonly onClose: () => void;
}
