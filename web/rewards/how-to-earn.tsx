import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { CalendarSync, CreditCard, Globe, type LucideIcon, UserPlus } from 'lucide-react'
import type { Rewards } from '#contract/rewards-api.ts'
import { EARN, type Earning, MIN_EARNING_MINOR, PREMIUM_FACTOR } from '#contract/rewards.ts'
import { betweenSentences, money } from '#web/i18n/formats.ts'
import { Money } from '#web/ui/money.tsx'
import { PointsRow } from '#web/rewards/points-row.tsx'
import { Card, Section } from '#web/ui/screen.tsx'

const WAYS: readonly { earning: Earning; icon: LucideIcon; title: MessageDescriptor; per: MessageDescriptor }[] = [
  {
    earning: 'payment',
    icon: CreditCard,
    title: msg`Make a Payment`,
    per: msg({ message: 'By card, or to someone with Alder', comment: 'Payments that earn points' }),
  },
  {
    earning: 'refer_friend',
    icon: UserPlus,
    title: msg`Refer a Friend`,
    per: msg`Once their identity is verified`,
  },
  { earning: 'direct_debit', icon: CalendarSync, title: msg`Set Up a Direct Debit`, per: msg`Once per company` },
  {
    earning: 'card_abroad',
    icon: Globe,
    title: msg`Use Your Card Abroad`,
    per: msg({ message: 'Extra, per transaction', comment: 'Extra points on top of the usual points for a payment' }),
  },
]

/** Lists the ways to earn points, with the points for each. */
export function HowToEarn({ rewards }: { rewards: Rewards | undefined }) {
  const { t } = useLingui()
  const status = rewards?.premium.status
  const isDoubled = status === 'renews' || status === 'ends'
  return (
    <Section title={t`How to Earn`}>
      <Card>
        <ul className="divide-y divide-line">
          {WAYS.map(({ earning, icon, title, per }) => (
            <li key={earning}>
              <PointsRow
                icon={icon}
                title={t(title)}
                description={t(per)}
                trailing={
                  <Money
                    amountMinor={EARN[earning] * (isDoubled ? PREMIUM_FACTOR : 1)}
                    asset="POINTS"
                    sign="always"
                    className="font-semibold text-success"
                  />
                }
              />
            </li>
          ))}
        </ul>
      </Card>
      {rewards ? <SmallPrint rewards={rewards} isDoubled={isDoubled} /> : null}
    </Section>
  )
}

function SmallPrint({ rewards: { limits }, isDoubled }: { rewards: Rewards; isDoubled: boolean }) {
  const { paymentsPerDay, sendsPerDay } = limits
  const least = money(MIN_EARNING_MINOR, 'USD')
  return (
    <p className="px-1 pt-2 text-sm text-pretty text-ink-soft">
      {isDoubled ? <Trans>Doubled with Premium.</Trans> : <Trans>Premium gives 2x points.</Trans>}
      {betweenSentences()}
      <Trans comment="{least} is an amount of money, such as $1.00; {paymentsPerDay} and {sendsPerDay} are numbers, such as 10 and 3">
        Payments of {least} or more earn points, for up to {paymentsPerDay} payments a day, including up to{' '}
        {sendsPerDay} to people. If a payment is refunded, we take back its points.
      </Trans>
    </p>
  )
}
