import { useLingui } from '@lingui/react/macro'
import type { FormPart } from '#web/lib/form.ts'
import { Field } from '#web/ui/field.tsx'
import { Segmented } from '#web/ui/segmented.tsx'
import type { EndValues } from '#web/schedules/shared/when.ts'

type EndFieldsProps = {
  form: FormPart<EndValues>
  /** The first day on which it may end. */
  from: string
}

/** When a payment that is made again and again ends. */
export function EndFields({ form, from }: EndFieldsProps) {
  const { t } = useLingui()
  const { ends } = form.values
  const label = t({ message: 'Ends', comment: 'When a payment that is made again and again ends' })
  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="mb-1.5 text-sm font-medium text-ink-soft">{label}</legend>
      <Segmented
        label={label}
        value={ends}
        onChange={(chosen) => form.set('ends', chosen)}
        options={[
          { value: 'never', label: t({ message: 'Never', comment: 'A payment goes on without an end' }) },
          { value: 'on', label: t({ message: 'On a Date', comment: 'When a payment ends' }) },
          { value: 'after', label: t({ message: 'After', comment: 'A payment ends after so many times' }) },
        ]}
      />
      {ends === 'on' && (
        <Field
          {...form.field('endsOn')}
          label={t({ message: 'Last Day', comment: 'No payment is made after it' })}
          type="date"
          min={from}
        />
      )}
      {ends === 'after' && (
        <Field
          {...form.field('times')}
          label={t`Number of Payments`}
          inputMode="numeric"
          autoComplete="off"
          maxLength={3}
        />
      )}
    </fieldset>
  )
}
