import { useLingui } from '@lingui/react/macro'
import type { ComponentProps } from 'react'
import { Field } from '#web/ui/field.tsx'

/** The field for the purpose of a payment. Both sides see the text. */
export function NoteField(field: Omit<ComponentProps<typeof Field>, 'label'>) {
  const { t } = useLingui()
  return (
    <Field label={t`Note (optional)`} placeholder={t`What's it for?`} maxLength={140} autoComplete="off" {...field} />
  )
}
