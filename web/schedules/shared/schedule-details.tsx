import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { Schedule } from '#contract/schedules.ts'
import { wholeDay } from '#web/i18n/dates.ts'
import { repeatText } from '#web/schedules/shared/when.ts'
import { EmailText } from '#web/ui/email-text.tsx'
import { FitMoney } from '#web/ui/money.tsx'

/** Shows the amount and the payee of a scheduled payment. */
export function ScheduleHead({ schedule }: { schedule: Schedule }) {
  const { name, recipient, amountMinor, asset } = schedule
  const who = (
    <bdi className="font-semibold">
      <EmailText email={name} />
    </bdi>
  )
  return (
    <div className="@container">
      <FitMoney amountMinor={amountMinor} asset={asset} most="2rem" className="font-semibold tracking-tight" />
      <p className="[overflow-wrap:anywhere]">
        <Trans comment="{who} is the payee">to {who}</Trans>
      </p>
      {name !== recipient && (
        <p dir="ltr" className="text-sm text-ink-soft [overflow-wrap:anywhere] rtl:text-right">
          <EmailText email={recipient} />
        </p>
      )}
    </div>
  )
}

/** Shows the date, interval and note of a scheduled payment. */
export function ScheduleFacts({ schedule }: { schedule: Schedule }) {
  const { t } = useLingui()
  const { every, dueOn, note, retrying } = schedule
  const date = wholeDay(dueOn)
  const isOnce = every === 'once'
  return (
    <>
      {retrying && (
        <p className="rounded-control bg-warning-subtle px-4 py-3 text-sm font-medium text-warning">
          <Trans comment="A payment could not be made on its date">
            We couldn't make this payment yet. We'll try again on {date}.
          </Trans>
        </p>
      )}
      <dl className="divide-y divide-line rounded-card border border-line bg-surface px-4">
        <ScheduleFact label={t({ message: 'Repeats', comment: 'The frequency of a payment' })}>
          {repeatText(every)}
        </ScheduleFact>
        <ScheduleFact label={isOnce ? t({ message: 'Date', context: 'of a payment' }) : t`Next Payment`}>
          {date}
        </ScheduleFact>
        {!isOnce && (
          <ScheduleFact label={t({ message: 'Ends', comment: 'The end of a recurring payment' })}>
            <End schedule={schedule} />
          </ScheduleFact>
        )}
        {note && <ScheduleFact label={t({ message: 'Note', context: 'of a payment' })}>{note}</ScheduleFact>}
      </dl>
    </>
  )
}

/** Shows a labeled fact about a payment. */
export function ScheduleFact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex min-h-13 flex-wrap items-center gap-x-4 py-2 text-[0.9375rem]">
      <dt className="text-ink-soft">{label}</dt>
      <dd className="tabular ms-auto max-w-full min-w-0 text-end font-medium [overflow-wrap:anywhere]">{children}</dd>
    </div>
  )
}

function End({ schedule: { end } }: { schedule: Schedule }) {
  if (end.kind === 'on') return wholeDay(end.on)
  if (end.kind === 'never') return <Trans comment="A recurring payment without an end date">Never</Trans>
  const { times } = end
  return <Plural value={times} one="After # more payment" other="After # more payments" />
}
