import { Trans, useLingui } from '@lingui/react/macro'
import type { DecisionReason } from '#contract/loans.ts'
import { wholeDay } from '#web/i18n/dates.ts'
import { money } from '#web/i18n/formats.ts'
import { FACTORS } from '#web/loans/shared/words.ts'

/** Lists the reasons against a loan, and what would change the decision. */
export function DeclineReasons({ reasons }: { reasons: readonly DecisionReason[] }) {
  const { t } = useLingui()
  return (
    <ul className="flex flex-col gap-3">
      {reasons.map((reason) => (
        <li key={reason.code}>
          <p className="font-medium">{t(FACTORS[reason.code])}</p>
          <p className="text-sm text-pretty text-ink-soft">
            <ReasonText reason={reason} />
          </p>
        </li>
      ))}
    </ul>
  )
}

const amountText = (amountMinor: number | null) => money(amountMinor ?? 0, 'USD', { short: true })

function ReasonText({ reason: { code, haveMinor, needMinor, enoughOn } }: { reason: DecisionReason }) {
  const [have, need] = [amountText(haveMinor), amountText(needMinor)]
  switch (code) {
    case 'income':
      return (
        <Trans>
          About {have} comes in each month. It needs to be {need} or more.
        </Trans>
      )
    case 'spending':
      return (
        <Trans>
          You spend about {have} each month. It needs to be {need} or less.
        </Trans>
      )
    case 'other_debt':
      return (
        <Trans>
          You pay {have} a month on other loans. It needs to be {need} or less.
        </Trans>
      )
    case 'buffer':
      return (
        <Trans>
          You keep about {have} in your account. It needs to be {need} or more.
        </Trans>
      )
    case 'account_age':
      return <AccountAge day={enoughOn === null ? null : wholeDay(enoughOn)} />
  }
}

function AccountAge({ day }: { day: string | null }) {
  if (day === null) return <Trans>Your score rises as your account gets older.</Trans>
  return <Trans comment="{day} is a date">Your account is still new. It will be old enough on {day}.</Trans>
}
