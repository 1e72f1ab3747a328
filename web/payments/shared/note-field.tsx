import { useLingui } from '@lingui/react/macro'
import type { ComponentProps } from 'react'
import { Field } from '#web/ui/field.tsx'

/** What a payment is for, in the customer's own words; both sides read it. */
export function NoteField(field: Omit<ComponentProps<typeof Field>, 'label'>) {
  const { t } = useLingui()
  return (
    <Field label={t`Note (optional)`} placeholder={t`What's it for?`} maxLength={140} autoComplete="off" {...field} />
  )
}
