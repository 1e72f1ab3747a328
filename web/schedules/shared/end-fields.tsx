import { useLingui } from '@lingui/react/macro'
import type { FormPart } from '#web/lib/form.ts'
import { Field } from '#web/ui/field.tsx'
import { Segmented } from '#web/ui/segmented.tsx'
import type { EndValues } from '#web/schedules/shared/when.ts'

type EndFieldsProps = {
  form: FormPart<EndValues>
  /** The first allowed end date. */
  from: string
}

/** Shows the fields for the end of a recurring payment. */
export function EndFields({ form, from }: EndFieldsProps) {
  const { t } = useLingui()
  const { ends } = form.values
  const label = t({ message: 'Ends', comment: 'The end of a recurring payment' })
  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="mb-1.5 text-sm font-medium text-ink-soft">{label}</legend>
      <Segmented
        label={label}
        value={ends}
        onChange={(chosen) => form.set('ends', chosen)}
        options={[
          { value: 'never', label: t({ message: 'Never', comment: 'A recurring payment without an end date' }) },
          { value: 'on', label: t({ message: 'On a Date', comment: 'The end of a recurring payment' }) },
          {
            value: 'after',
            label: t({
              message: 'After',
              comment: 'A recurring payment ends after a number of payments. The number follows',
            }),
          },
        ]}
      />
      {ends === 'on' && (
        <Field
          {...form.field('endsOn')}
          label={t({ message: 'Last Day', comment: 'The last day on which a recurring payment is made' })}
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
