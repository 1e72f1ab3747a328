import { useLingui } from '@lingui/react/macro'
import { useBusinessDay } from '#web/accounts/queries.ts'
import { bankDayBefore } from '#web/i18n/dates.ts'
import type { FormPart } from '#web/lib/form.ts'
import { EndFields } from '#web/schedules/shared/end-fields.tsx'
import { intervalOf, lastScheduleDay, type WhenValues } from '#web/schedules/shared/when.ts'
import { Field } from '#web/ui/field.tsx'
import { Segmented } from '#web/ui/segmented.tsx'
import { ZoneNote } from '#web/ui/zone-note.tsx'

/** Shows the fields for the time of a payment: now, on a later date, or at intervals from that date. */
export function WhenFields({ form }: { form: FormPart<WhenValues> }) {
  const { t } = useLingui()
  const today = useBusinessDay()
  const every = intervalOf(form.values)
  return (
    <div className="flex flex-col gap-4">
      <Segmented
        label={t({ message: 'When', comment: 'The date on which money is sent' })}
        value={form.values.when}
        onChange={(chosen) => {
          form.set('when', chosen)
          if (form.values.startsOn === '' && today) form.set('startsOn', bankDayBefore(today, -1))
        }}
        options={[
          { value: 'now', label: t({ message: 'Now', comment: 'The date on which money is sent' }) },
          { value: 'once', label: t({ message: 'Later', context: 'once, on a later date' }) },
          { value: 'week', label: t({ message: 'Weekly', comment: 'The frequency of a transfer' }) },
          { value: 'month', label: t({ message: 'Monthly', comment: 'The frequency of a transfer' }) },
        ]}
      />
      {every && (
        <Field
          {...form.field('startsOn')}
          label={every === 'once' ? t({ message: 'Date', context: 'of a payment' }) : t`First Payment`}
          type="date"
          {...(today && { min: today, max: lastScheduleDay(today) })}
          hint={t`If the date falls on a weekend or federal holiday, the payment goes out on the next business day.`}
        />
      )}
      {every && <ZoneNote />}
      {every && every !== 'once' && <EndFields form={form} from={form.values.startsOn} />}
    </div>
  )
}
